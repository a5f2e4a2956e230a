import type {
  DescMessage,
  DescMethod,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type { Observable } from 'rxjs';

type Later<T> = T | Promise<T>;

/** A message, or an object in its shape. */
type AnswerOf<D extends DescMessage> = MessageInitShape<D>;

/** One answer, in any of the ways that Nest understands. */
type One<D extends DescMessage> = Later<AnswerOf<D> | Observable<AnswerOf<D>>>;

/** Answers one after the other, as an Observable or from an async generator. */
type Many<D extends DescMessage> = Later<Observable<AnswerOf<D>>> | AsyncIterable<AnswerOf<D>>;

/**
 * Nest fills the parameters after the request: the metadata and the call, or values of parameter decorators
 * such as `@CurrentSubject()`, whose types cannot be checked.
 */
type HandlerFor<Request, Reply> = (request: Request, ...injected: never[]) => Reply;

type Implementation<I extends DescMessage, O extends DescMessage> = {
  unary: HandlerFor<MessageShape<I>, One<O>>;
  server_streaming: HandlerFor<MessageShape<I>, Many<O>>;
  client_streaming: HandlerFor<Observable<MessageShape<I>>, One<O>>;
  bidi_streaming: HandlerFor<Observable<MessageShape<I>>, Many<O>>;
};

/** The handler of one method. */
export type MethodImpl<M extends Pick<DescMethod, 'input' | 'output' | 'methodKind'>> =
  Implementation<M['input'], M['output']>[M['methodKind']];

/**
 * The handlers of a generated service, by the names that protobuf-es gives to its methods:
 * `class OrdersController implements ServiceImpl<typeof Orders>` has to have all of them.
 */
export type ServiceImpl<S extends DescService> = {
  [K in keyof S['method']]: MethodImpl<S['method'][K]>;
};
