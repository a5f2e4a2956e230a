import { clone, create } from '@bufbuild/protobuf';
import { anyPack, anyUnpack } from '@bufbuild/protobuf/wkt';
import { Codec, Stream } from './axes.js';
import type { Permutation } from './expand.js';
import {
  ErrorSchema,
  type Expected,
  ExpectedSchema,
  HeaderSchema,
  type Payload,
  PayloadSchema,
  type RequestInfo,
  RequestInfoSchema,
  type RpcFailure,
  type StreamPlan,
  type UnaryPlan,
  registry,
} from './schema.js';

/** What a call must get: what the case says, or what the definition in its first message asks for. */
export function expectedOf({ way, test, call }: Permutation): Expected {
  if (test.expectedResponse !== undefined) return test.expectedResponse;
  const info = create(RequestInfoSchema, {
    requestHeaders: call.requestHeaders,
    requests: call.requestMessages,
    ...(call.timeoutMs !== undefined && { timeoutMs: BigInt(call.timeoutMs) }),
    ...(call.useGetHttpMethod && { connectGetInfo: { queryParams: queryOf(way.codec) } }),
  });
  const [first] = call.requestMessages;
  const request = first === undefined ? undefined : anyUnpack(first, registry);
  if (way.stream === Stream.unary || way.stream === Stream.client) {
    const plan = (request as { readonly responseDefinition?: UnaryPlan } | undefined)
      ?.responseDefinition;
    return afterUnary(plan, info);
  }
  const plan = (request as { readonly responseDefinition?: StreamPlan } | undefined)
    ?.responseDefinition;
  return plan === undefined ? create(ExpectedSchema) : afterStream(plan, info, way.stream);
}

function queryOf(codec: Codec) {
  const entries = { encoding: codec === Codec.json ? 'json' : 'proto', connect: 'v1' };
  return Object.entries(entries).map(([name, value]) =>
    create(HeaderSchema, { name, value: [value] }),
  );
}

function afterUnary(plan: UnaryPlan | undefined, requestInfo: RequestInfo): Expected {
  const payload: Partial<Payload> = { requestInfo };
  if (plan === undefined) return create(ExpectedSchema, { payloads: [payload as Payload] });
  const { responseHeaders, responseTrailers, response } = plan;
  if (response.case === 'error') {
    return create(ExpectedSchema, {
      responseHeaders,
      responseTrailers,
      error: withInfo(response.value, requestInfo),
    });
  }
  const data = response.value ?? new Uint8Array();
  return create(ExpectedSchema, {
    responseHeaders,
    responseTrailers,
    payloads: [create(PayloadSchema, { requestInfo, data })],
  });
}

function afterStream(plan: StreamPlan, info: RequestInfo, stream: Stream): Expected {
  const { responseHeaders, responseTrailers, responseData } = plan;
  const error =
    plan.error !== undefined && responseData.length === 0 ? withInfo(plan.error, info) : plan.error;
  return create(ExpectedSchema, {
    responseHeaders,
    responseTrailers,
    ...(error !== undefined && { error }),
    payloads: responseData.map((data, at) => {
      const requestInfo =
        stream === Stream.fullDuplex ? oneOf(info, at) : at === 0 ? info : undefined;
      return create(PayloadSchema, { data, ...(requestInfo !== undefined && { requestInfo }) });
    }),
  });
}

/** Of a call that is answered message by message, an answer tells of the one before it. */
function oneOf(info: RequestInfo, at: number): RequestInfo {
  const requests = info.requests.slice(at, at + 1);
  return at === 0
    ? create(RequestInfoSchema, { ...info, requests })
    : create(RequestInfoSchema, { requests });
}

function withInfo(failure: RpcFailure, info: RequestInfo): RpcFailure {
  const told = clone(ErrorSchema, failure);
  told.details.push(anyPack(RequestInfoSchema, info));
  return told;
}
