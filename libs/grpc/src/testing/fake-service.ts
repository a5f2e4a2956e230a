import type {
  DescMessage,
  DescMethod,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';

type Later<T> = T | Promise<T>;
type Many<T> = Iterable<T> | AsyncIterable<T>;

type Fakes<I extends DescMessage, O extends DescMessage> = {
  unary: (request: MessageShape<I>) => Later<MessageInitShape<O>>;
  server_streaming: (request: MessageShape<I>) => Many<MessageInitShape<O>>;
  client_streaming: (requests: AsyncIterable<MessageShape<I>>) => Later<MessageInitShape<O>>;
  bidi_streaming: (requests: AsyncIterable<MessageShape<I>>) => Many<MessageInitShape<O>>;
};

type Fake<M extends Pick<DescMethod, 'input' | 'output' | 'methodKind'>> = Fakes<
  M['input'],
  M['output']
>[M['methodKind']];

/**
 * A fake of a service for a test: a function for each method that is called, which answers or throws; a
 * StatusError reaches the client unchanged. Any other method is UNIMPLEMENTED.
 */
export type FakeService<S extends DescService> = {
  readonly [K in keyof S['method']]?: Fake<S['method'][K]>;
};
