import {
  type InterceptingCall,
  type Metadata,
  type StatusObject,
  status as GrpcStatus,
} from '@grpc/grpc-js';
import type { Message } from '@bufbuild/protobuf';

type Listener = NonNullable<Parameters<InterceptingCall['start']>[1]>;

/** How a call with one response ended. */
export type Ended = (
  status: StatusObject,
  headers: Metadata | undefined,
  message: Message | undefined,
) => void;

/** A call with one request and one response, made without a client around it. */
export class InProcessCall implements Listener {
  readonly #call: InterceptingCall;
  readonly #ended: Ended;
  #headers: Metadata | undefined;
  #message: Message | undefined;

  constructor(call: InterceptingCall, ended: Ended) {
    this.#call = call;
    this.#ended = ended;
  }

  send(metadata: Metadata, message: Message): void {
    this.#call.start(metadata, this);
    this.#call.sendMessage(message);
    this.#call.halfClose();
    this.#call.startRead();
  }

  readonly cancel = (): void => {
    this.#call.cancelWithStatus(GrpcStatus.CANCELLED, 'Cancelled on client');
  };

  onReceiveMetadata(headers: Metadata): void {
    this.#headers = headers;
  }

  /** null where there was none. */
  onReceiveMessage(message: Message | null): void {
    if (message === null) return;
    if (this.#message !== undefined) {
      this.#call.cancelWithStatus(GrpcStatus.UNIMPLEMENTED, 'Too many responses received');
    }
    this.#message = message;
  }

  onReceiveStatus(status: StatusObject): void {
    const isLacking = status.code === GrpcStatus.OK && this.#message === undefined;
    const { UNIMPLEMENTED } = GrpcStatus;
    const told = isLacking
      ? { ...status, code: UNIMPLEMENTED, details: 'No message received' }
      : status;
    this.#ended(told, this.#headers, told.code === GrpcStatus.OK ? this.#message : undefined);
  }
}
