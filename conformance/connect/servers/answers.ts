import { setTimeout as sleep } from 'node:timers/promises';
import { type DescMessage, type Message, clone, create } from '@bufbuild/protobuf';
import { type Any, anyPack } from '@bufbuild/protobuf/wkt';
import {
  type BidiStreamRequest,
  type ClientStreamRequest,
  ErrorSchema,
  type Header,
  type Payload,
  PayloadSchema,
  type RequestInfo,
  RequestInfoSchema,
  type RpcFailure,
  type ServerStreamRequest,
  type StreamPlan,
  type UnaryPlan,
  messageOf,
} from '../suite/schema.js';

/** A call as its server sees it: what ConformanceService needs of each. */
export interface ServedCall {
  readonly requestHeaders: readonly Header[];
  readonly signal: AbortSignal;
  /** What is left of the caller's timeout, in milliseconds. */
  timeoutMs(): number | undefined;
  /** The query of a call by GET, where the server tells. */
  readonly query?: readonly Header[];
  addHeader(name: string, value: string): void;
  addTrailer(name: string, value: string): void;
  /** All headers are there. Default: they are sent with the first message. */
  sendHeaders?(): void;
  /** What is to be thrown for a failure. */
  toThrow(failure: RpcFailure): Error;
}

/** What service.proto says of Unary and IdempotentUnary. */
export function answerUnary(
  call: ServedCall,
  request: Message & { readonly responseDefinition?: UnaryPlan },
): Promise<Payload> {
  return answerOnce(call, request.responseDefinition, [pack(request)]);
}

export async function answerClientStream(
  call: ServedCall,
  requests: AsyncIterable<ClientStreamRequest>,
): Promise<Payload> {
  const all: Any[] = [];
  let plan: UnaryPlan | undefined;
  for await (const request of requests) {
    if (all.length === 0) plan = request.responseDefinition;
    all.push(pack(request));
  }
  return answerOnce(call, plan, all);
}

async function answerOnce(
  call: ServedCall,
  plan: UnaryPlan | undefined,
  requests: readonly Any[],
): Promise<Payload> {
  const requestInfo = infoOf(call, requests);
  if (plan === undefined) return create(PayloadSchema, { requestInfo });
  addMetadata(call, plan);
  await delay(call, plan.responseDelayMs);
  if (plan.response.case === 'error')
    throw call.toThrow(withInfo(plan.response.value, requestInfo));
  return create(PayloadSchema, { requestInfo, data: plan.response.value ?? new Uint8Array() });
}

export async function* answerServerStream(
  call: ServedCall,
  request: ServerStreamRequest,
): AsyncGenerator<Payload> {
  const { responseDefinition: plan } = request;
  if (plan === undefined) return;
  addMetadata(call, plan);
  yield* rest(call, plan, 0, [pack(request)]);
}

export async function* answerBidiStream(
  call: ServedCall,
  requests: AsyncIterable<BidiStreamRequest>,
): AsyncGenerator<Payload> {
  let plan: StreamPlan | undefined;
  let isFullDuplex = false;
  let isFirst = true;
  let sent = 0;
  let unanswered: Any[] = [];
  for await (const request of requests) {
    if (isFirst) {
      isFirst = false;
      plan = request.responseDefinition;
      isFullDuplex = request.fullDuplex;
      if (plan !== undefined) addMetadata(call, plan);
    }
    unanswered.push(pack(request));
    if (!isFullDuplex) continue;
    const data = plan?.responseData[sent];
    if (data === undefined) break;
    await delay(call, plan!.responseDelayMs);
    const requestInfo =
      sent === 0 ? infoOf(call, unanswered) : create(RequestInfoSchema, { requests: unanswered });
    yield create(PayloadSchema, { data, requestInfo });
    sent += 1;
    unanswered = [];
  }
  if (plan !== undefined) yield* rest(call, plan, sent, unanswered);
}

/** The answers that are still to be sent, and the failure after them. */
async function* rest(
  call: ServedCall,
  plan: StreamPlan,
  sent: number,
  requests: readonly Any[],
): AsyncGenerator<Payload> {
  for (const [at, data] of plan.responseData.entries()) {
    if (at < sent) continue;
    await delay(call, plan.responseDelayMs);
    yield create(PayloadSchema, { data, ...(at === 0 && { requestInfo: infoOf(call, requests) }) });
  }
  if (plan.error === undefined) return;
  const isAlone = plan.responseData.length === 0;
  throw call.toThrow(isAlone ? withInfo(plan.error, infoOf(call, requests)) : plan.error);
}

function addMetadata(call: ServedCall, plan: UnaryPlan | StreamPlan): void {
  for (const { name, value } of plan.responseHeaders) {
    for (const each of value) call.addHeader(name, each);
  }
  for (const { name, value } of plan.responseTrailers) {
    for (const each of value) call.addTrailer(name, each);
  }
  call.sendHeaders?.();
}

function infoOf(call: ServedCall, requests: readonly Any[]): RequestInfo {
  const timeoutMs = call.timeoutMs();
  return create(RequestInfoSchema, {
    requestHeaders: [...call.requestHeaders],
    requests: [...requests],
    ...(timeoutMs !== undefined && { timeoutMs: BigInt(Math.trunc(timeoutMs)) }),
    ...(call.query !== undefined && { connectGetInfo: { queryParams: [...call.query] } }),
  });
}

function withInfo(failure: RpcFailure, info: RequestInfo): RpcFailure {
  const told = clone(ErrorSchema, failure);
  told.details.push(anyPack(RequestInfoSchema, info));
  return told;
}

function pack(message: Message): Any {
  const schema: DescMessage = messageOf(message.$typeName);
  return anyPack(schema, message);
}

/** The end of the call is the end of the delay. @throws the reason of that end. */
async function delay({ signal }: ServedCall, ms: number): Promise<void> {
  if (ms === 0) return;
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw signal.reason;
  }
}
