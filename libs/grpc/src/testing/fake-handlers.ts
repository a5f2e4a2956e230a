import { once } from 'node:events';
import { statusOf } from '@apix/calls/grpc';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type {
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
  sendUnaryData,
} from '@grpc/grpc-js';

/** The part of a fake that matters here: its type checks arguments and results. */
type AnyFake = (request: unknown) => unknown;

type Answering = ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>;

/** Handlers of grpc-js that answer with what fakes return, by the methods' names. */
export function fakeHandlers(
  service: DescService,
  fakes: Readonly<Record<string, AnyFake | undefined>>,
): UntypedServiceImplementation {
  return Object.fromEntries(
    service.methods.flatMap((method) => {
      const fake = fakes[method.localName];
      return fake === undefined ? [] : [[method.name, handlerOf(method, fake)]];
    }),
  ) as UntypedServiceImplementation;
}

function handlerOf({ methodKind }: DescMethod, fake: AnyFake): unknown {
  switch (methodKind) {
    case 'unary':
      return (call: ServerUnaryCall<unknown, unknown>, respond: sendUnaryData<unknown>) =>
        void answerOnce(() => fake(call.request), respond);
    case 'client_streaming':
      return (call: ServerReadableStream<unknown, unknown>, respond: sendUnaryData<unknown>) =>
        void answerOnce(() => fake(requestsOf(call)), respond);
    case 'server_streaming':
      return (call: ServerWritableStream<unknown, unknown>) =>
        void answerMany(call, () => fake(call.request));
    case 'bidi_streaming':
      return (call: ServerDuplexStream<unknown, unknown>) =>
        void answerMany(call, () => fake(requestsOf(call)));
  }
}

/** Without the end of the requests being that of the call, as the iterator of a stream has it. */
function requestsOf(
  call: ServerReadableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>,
): AsyncIterable<unknown> {
  return call.iterator({ destroyOnReturn: false });
}

async function answerOnce(run: () => unknown, respond: sendUnaryData<unknown>): Promise<void> {
  try {
    respond(null, await run());
  } catch (error) {
    const { metadata, ...status } = statusOf(error);
    respond(metadata === null ? status : { ...status, metadata });
  }
}

async function answerMany(call: Answering, run: () => unknown): Promise<void> {
  try {
    for await (const answer of run() as AsyncIterable<unknown>) {
      if (call.cancelled) return;
      if (!call.write(answer)) await Promise.race([once(call, 'drain'), once(call, 'cancelled')]);
    }
    call.end();
  } catch (error) {
    call.emit('error', statusOf(error));
  }
}
