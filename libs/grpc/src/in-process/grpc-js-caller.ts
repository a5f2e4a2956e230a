import type { EventEmitter } from 'node:events';
import { type CallEnd, type CallListener } from '@apix/calls';
import { FROM_SERVER } from '@apix/calls/internal';
import {
  type CallOptions,
  type InterceptingCall,
  type InterceptorOptions,
  type Metadata,
  propagate,
  status,
} from '@grpc/grpc-js';
import type { InProcessCall } from './in-process-call.js';

type ClientCall = Pick<InterceptingCall, keyof InterceptingCall>;
type ClientListener = Parameters<InterceptingCall['start']>[1];
type MessageContext = Parameters<InterceptingCall['sendMessageWithContext']>[0];

/** Makes the call of a client of grpc-js. */
export type BeginCall = (
  options: InterceptorOptions,
  metadata: Metadata,
  deadline: number,
  listener: CallListener<object>,
) => InProcessCall;

/** What a client of grpc-js uses in place of the call over its channel. */
export class GrpcJsCaller implements ClientCall, CallListener<object> {
  readonly #begin: BeginCall;
  readonly #options: InterceptorOptions;
  readonly #takesOne: boolean;
  #call: InProcessCall | undefined;
  #listener: ClientListener;
  #hasMessage = false;

  constructor(begin: BeginCall, options: InterceptorOptions) {
    this.#begin = begin;
    this.#options = options;
    this.#takesOne = !options.method_definition.responseStream;
  }

  start(metadata: Metadata, listener?: ClientListener): void {
    this.#listener = listener;
    const call = this.#begin(this.#options, metadata, deadlineOf(this.#options), this);
    this.#call = call;
    followParent(this.#options, (own) => call.end(own));
    // Nothing asks for the answer of a call with one.
    if (this.#takesOne) call.read();
  }

  sendMessage(message: unknown): void {
    this.#call?.send(message);
  }

  sendMessageWithContext({ callback }: MessageContext, message: unknown): void {
    this.#call?.send(message, callback && { taken: () => callback() });
  }

  halfClose(): void {
    this.#call?.halfClose();
  }

  startRead(): void {
    this.#call?.read();
  }

  cancelWithStatus(code: status, details: string): void {
    this.#call?.end({ code, details });
  }

  getPeer(): string {
    return 'in-process';
  }

  getAuthContext(): null {
    return null;
  }

  onHeaders(headers: Metadata): void {
    this.#listener?.onReceiveMetadata?.(headers);
  }

  onMessage(message: unknown): void {
    this.#hasMessage = true;
    this.#listener?.onReceiveMessage?.(message);
    if (this.#takesOne) this.#call!.read();
  }

  onEnd({ status: result, fromServer }: CallEnd): void {
    // Interceptors of calls with one response count on a message before the status.
    if (this.#takesOne && !this.#hasMessage) this.#listener?.onReceiveMessage?.(null);
    const ended = { ...result, [FROM_SERVER]: fromServer };
    this.#listener?.onReceiveStatus?.(ended);
  }
}

/** When a call must have ended, in milliseconds since the epoch; Infinity for never. */
export function deadlineOf({ deadline, parent, propagate_flags }: CallOptions): number {
  const own = deadline === undefined ? Infinity : Number(deadline);
  const inherits = ((propagate_flags ?? propagate.DEFAULTS) & propagate.DEADLINE) !== 0;
  return parent !== undefined && inherits ? Math.min(own, Number(parent.getDeadline())) : own;
}

/** Ends the call with the one that it is part of, unless the caller wants it otherwise. */
export function followParent(
  { parent, propagate_flags }: CallOptions,
  end: (own: { code: status; details: string }) => void,
): void {
  if (((propagate_flags ?? propagate.DEFAULTS) & propagate.CANCELLATION) === 0) return;
  // A union of classes that are all emitters, whose overloads TypeScript cannot unite.
  const emitter: EventEmitter | undefined = parent;
  emitter?.once('cancelled', () =>
    end({ code: status.CANCELLED, details: 'Cancelled by parent call' }),
  );
}
