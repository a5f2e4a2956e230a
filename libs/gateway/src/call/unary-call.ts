import type { Message } from '@bufbuild/protobuf';
import {
  type InterceptingCall,
  type Metadata,
  type StatusObject,
  status as GrpcStatus,
} from '@grpc/grpc-js';

type Listener = Required<NonNullable<Parameters<InterceptingCall['start']>[1]>>;

/** What is needed of a call that carries messages: grpc-js's own, or one in this process. */
export interface CarriedCall {
  start(metadata: Metadata, listener: Listener): void;
  sendMessage(message: Message): void;
  halfClose(): void;
  startRead(): void;
  cancelWithStatus(status: GrpcStatus, details: string): void;
}

/** How a call with one response ended. */
export type Ended = (
  status: StatusObject,
  headers: Metadata | undefined,
  message: Message | undefined,
) => void;

/**
 * A call with one request and one response, without the client around it that grpc-js has: that
 * notes a stack and builds an emitter for every call.
 */
export class UnaryCall implements Listener {
  readonly #call: CarriedCall;
  readonly #ended: Ended;
  #headers: Metadata | undefined;
  #message: Message | undefined;

  constructor(call: CarriedCall, ended: Ended) {
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
