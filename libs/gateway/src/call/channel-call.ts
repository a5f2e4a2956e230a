import type { Message } from '@bufbuild/protobuf';
import {
  type Channel,
  type InterceptingCall,
  type Metadata,
  type StatusObject,
  status as GrpcStatus,
} from '@grpc/grpc-js';
import type { CarriedCall } from './unary-call.js';

type Listener = Required<NonNullable<Parameters<InterceptingCall['start']>[1]>>;
type BytesCall = ReturnType<Channel['createCall']>;

/** How the messages of a method become bytes and back. */
export interface Codec {
  readonly serialize: (message: Message) => Buffer;
  readonly deserialize: (bytes: Buffer) => Message;
}

/** A call of one response over a channel, between its bytes and the messages they are. */
export class ChannelCall implements CarriedCall {
  readonly #call: BytesCall;
  readonly #codec: Codec;
  #listener!: Listener;
  /** This end has given up over a message; what the server says of the end is beside the point. */
  #failure: Pick<StatusObject, 'code' | 'details'> | undefined;

  constructor(call: BytesCall, codec: Codec) {
    this.#call = call;
    this.#codec = codec;
  }

  start(metadata: Metadata, listener: Listener): void {
    this.#listener = listener;
    this.#call.start(metadata, this);
  }

  sendMessage(message: Message): void {
    this.#call.sendMessageWithContext({}, this.#codec.serialize(message));
  }

  halfClose(): void {
    this.#call.halfClose();
  }

  startRead(): void {
    this.#call.startRead();
  }

  cancelWithStatus(status: GrpcStatus, details: string): void {
    this.#call.cancelWithStatus(status, details);
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#listener.onReceiveMetadata(metadata);
  }

  onReceiveMessage(bytes: Buffer): void {
    let message: Message;
    try {
      message = this.#codec.deserialize(bytes);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const details = `Response message parsing error: ${why}`;
      this.#failure = { code: GrpcStatus.INTERNAL, details };
      this.#call.cancelWithStatus(GrpcStatus.INTERNAL, details);
      return;
    }
    this.#listener.onReceiveMessage(message);
  }

  onReceiveStatus(status: StatusObject): void {
    this.#listener.onReceiveStatus(
      this.#failure === undefined ? status : { ...status, ...this.#failure },
    );
  }
}
