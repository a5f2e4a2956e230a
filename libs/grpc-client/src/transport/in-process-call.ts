import { isServerStatus } from '@apix/calls';
import {
  type AdmittedCall,
  type InProcessMessageContext,
  READ_REQUEST,
  WHEN_WANTED,
} from '@apix/contracts';
import type { DescMessage, Message } from '@bufbuild/protobuf';
import {
  type InterceptingCall,
  type Metadata,
  type StatusObject,
  status as GrpcStatus,
} from '@grpc/grpc-js';
import type { SendContext, TransportCall, TransportListener } from './call-transport.js';

type CarriedCall = InterceptingCall & AdmittedCall;
type MessageContext = Parameters<InterceptingCall['sendMessageWithContext']>[0];
type CarriedListener = Required<NonNullable<Parameters<InterceptingCall['start']>[1]>>;

/** A call to a server of this process; its answers are messages, or the caller's form of them. */
export class InProcessCall<Written extends object> implements TransportCall, CarriedListener {
  readonly #call: CarriedCall;
  readonly #type: DescMessage;
  readonly #listener: TransportListener<Written>;

  /** @param type of the requests. */
  constructor(call: CarriedCall, type: DescMessage, listener: TransportListener<Written>) {
    this.#call = call;
    this.#type = type;
    this.#listener = listener;
  }

  start(metadata: Metadata): void {
    this.#call.start(metadata, this);
  }

  whenWanted(run: () => void): void {
    this.#call[WHEN_WANTED](run);
  }

  send(message: Message, { taken, textBytes }: SendContext = {}): void {
    const context: MessageContext & InProcessMessageContext = {
      ...(taken !== undefined && { callback: taken }),
      ...(textBytes !== undefined && { [READ_REQUEST]: { type: this.#type, textBytes } }),
    };
    this.#call.sendMessageWithContext(context, message);
  }

  halfClose(): void {
    this.#call.halfClose();
  }

  read(): void {
    this.#call.startRead();
  }

  cancel(): void {
    this.#call.cancelWithStatus(GrpcStatus.CANCELLED, 'Cancelled on client');
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#listener.onHeaders(metadata);
  }

  /** null if a unary call had none. */
  onReceiveMessage(message: Message | Written | null): void {
    if (message !== null) this.#listener.onMessage(message);
  }

  onReceiveStatus(status: StatusObject): void {
    const fromServer = status.code === GrpcStatus.OK || isServerStatus(status, true);
    this.#listener.onEnd({ status, fromServer });
  }
}
