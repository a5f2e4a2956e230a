import type {
  DescMessage,
  DescMethod,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type { ClientCallOptions } from '../call/call-options.js';

/**
 * Answers one after the other. It is read once, by `for await`, at the pace of its reader: leaving the
 * loop cancels the call, and a call that failed has `next()` reject with a StatusError.
 */
export type ResponseStream<T> = AsyncIterableIterator<T, undefined, undefined>;

/**
 * A sequence of requests: an array, or an async generator, which is read only as fast as the server accepts
 * them.
 */
export type RequestIterable<T> = Iterable<T> | AsyncIterable<T>;

type CallForms<I extends DescMessage, O extends DescMessage> = {
  unary: (request: MessageInitShape<I>, options?: ClientCallOptions) => Promise<MessageShape<O>>;
  server_streaming: (
    request: MessageInitShape<I>,
    options?: ClientCallOptions,
  ) => ResponseStream<MessageShape<O>>;
  client_streaming: (
    requests: RequestIterable<MessageInitShape<I>>,
    options?: ClientCallOptions,
  ) => Promise<MessageShape<O>>;
  bidi_streaming: (
    requests: RequestIterable<MessageInitShape<I>>,
    options?: ClientCallOptions,
  ) => ResponseStream<MessageShape<O>>;
};

/** How one method of a service is called. */
export type ClientMethod<M extends Pick<DescMethod, 'input' | 'output' | 'methodKind'>> = CallForms<
  M['input'],
  M['output']
>[M['methodKind']];

/**
 * A generated service as its callers see it, by the names that protobuf-es gives to its methods. A call
 * begins when its method is called, and fails with a StatusError.
 */
export type Client<S extends DescService> = {
  readonly [K in keyof S['method']]: ClientMethod<S['method'][K]>;
};
