import { setTimeout as sleep } from 'node:timers/promises';
import type { DescMethod } from '@bufbuild/protobuf';
import { connectStream, connectUnary } from '../protocols/connect.js';
import { grpcWebText } from '../protocols/grpc-web-text.js';
import { grpc, grpcWeb } from '../protocols/grpc.js';
import { type ClientProtocol, failure } from '../protocols/protocol.js';
import { type Configuration, Protocol, Stream } from '../suite/axes.js';
import type { Permutation } from '../suite/expand.js';
import { type Payload, methodOf } from '../suite/schema.js';
import type { Outcome } from '../suite/verdict.js';
import { codeOfFailure } from './codes.js';
import type { Connection, Exchange } from './connection.js';
import { rawRequest } from './raw-request.js';

/** A call that has not ended by then hangs. */
const HANGS_MS = 20_000;

/** @param isText whether gRPC-Web is said in base64. */
function protocolFor({ protocol, stream }: Configuration, isText: boolean): ClientProtocol {
  switch (protocol) {
    case Protocol.connect:
      return stream === Stream.unary ? connectUnary : connectStream;
    case Protocol.grpc:
      return grpc;
    case Protocol.grpcWeb:
      return isText ? grpcWebText : grpcWeb;
  }
}

/** Makes the call of a case as a client of its protocol, which is impolite where the case says so. */
export async function invoke(
  permutation: Permutation,
  connection: Connection,
  isText = false,
): Promise<Outcome> {
  const { call, way, method } = permutation;
  const protocol = protocolFor(way, isText);
  const descriptor = methodOf(method);
  const raw = call.rawRequest === undefined ? undefined : rawRequest(call.rawRequest);
  const head = raw?.head ?? protocol.head(call, descriptor, way);
  const headers = Object.fromEntries(call.requestHeaders.map(({ name, value }) => [name, value]));
  const exchange = connection.open(
    raw === undefined ? { ...head, headers: { ...head.headers, ...headers } } : head,
  );
  const answers = new Answers();
  const reading = read(protocol, { permutation, descriptor, exchange, answers });
  const hang = setTimeout(() => exchange.cancel(), HANGS_MS);
  try {
    if (raw !== undefined) exchange.send(raw.body);
    else if (head.method !== 'GET') await send(permutation, protocol, exchange, answers);
    exchange.end();
    return await reading;
  } finally {
    clearTimeout(hang);
  }
}

async function send(
  { call, way }: Permutation,
  protocol: ClientProtocol,
  exchange: Exchange,
  answers: Answers,
): Promise<void> {
  for (const [at, message] of call.requestMessages.entries()) {
    if (call.requestDelayMs > 0) await sleep(call.requestDelayMs);
    if (answers.isOver) return;
    exchange.send(protocol.encode(message, way));
    if (way.stream === Stream.fullDuplex) await answers.reached(at + 1);
  }
}

async function read(
  protocol: ClientProtocol,
  {
    permutation,
    descriptor,
    exchange,
    answers,
  }: {
    readonly permutation: Permutation;
    readonly descriptor: DescMethod;
    readonly exchange: Exchange;
    readonly answers: Answers;
  },
): Promise<Outcome> {
  let status: number | undefined;
  try {
    const response = await exchange.response;
    ({ status } = response);
    const end = await protocol.read(response, descriptor, permutation.way, {
      onMessage: ({ payload }) => answers.add(payload),
    });
    return { ...end, payloads: answers.payloads };
  } catch (error) {
    return {
      ...(status !== undefined && { status }),
      headers: new Map(),
      trailers: new Map(),
      payloads: answers.payloads,
      error: failure(codeOfFailure(error), String(error)),
      isCutOff: status === undefined && (error as NodeJS.ErrnoException).code === 'ECONNRESET',
      complaints: [],
    };
  } finally {
    answers.finish();
  }
}

/** What has come so far. */
class Answers {
  readonly payloads: Payload[] = [];
  isOver = false;
  #wake: (() => void) | undefined;

  add(payload: Payload | undefined): void {
    if (payload !== undefined) this.payloads.push(payload);
    this.#wake?.();
  }

  finish(): void {
    this.isOver = true;
    this.#wake?.();
  }

  /** Waits for so many, or for the end. */
  async reached(count: number): Promise<void> {
    while (this.payloads.length < count && !this.isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
