import { isServerStatus } from '@apix/calls';
import { thrownText } from '@apix/contracts';
import { wireCodec } from '@apix/proto/core';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import {
  type Channel,
  type InterceptingCall,
  type Metadata,
  type StatusObject,
  status as GrpcStatus,
} from '@grpc/grpc-js';
import type { TransportCall, TransportHead, TransportListener } from './call-transport.js';

type ChannelListener = Required<NonNullable<Parameters<InterceptingCall['start']>[1]>>;

/** `WriteFlags.NoCompress` of grpc-js, which it does not export. Without compression it says nothing. */
const NO_COMPRESS = 2;

/** A call over a channel of grpc-js; its answers stay the bytes that they came as. */
export class ChannelCall implements TransportCall, ChannelListener {
  readonly #call: ReturnType<Channel['createCall']>;
  readonly #method: DescMethod;
  readonly #listener: TransportListener;
  readonly #compressFromBytes: number;
  #headersCame = false;
  /** This end has given up over a message; how the server ends the call no longer counts. */
  #failure: Pick<StatusObject, 'code' | 'details'> | undefined;

  constructor(
    channel: Channel,
    { method, path, deadline }: TransportHead,
    listener: TransportListener,
    compressFromBytes: number,
  ) {
    // Without the client of grpc-js, which notes a stack and builds an emitter for every call.
    this.#call = channel.createCall(path, deadline, null, null, null);
    this.#method = method;
    this.#listener = listener;
    this.#compressFromBytes = compressFromBytes;
  }

  start(metadata: Metadata): void {
    this.#call.start(metadata, this);
  }

  send(message: Message, taken?: () => void, asIs = false): void {
    let bytes: Buffer;
    try {
      bytes = wireCodec(this.#method.input).encode(message);
    } catch (error) {
      const details = `Request message serialization failure: ${thrownText(error)}`;
      this.#failure = { code: GrpcStatus.INTERNAL, details };
      this.#call.cancelWithStatus(GrpcStatus.INTERNAL, details);
      return;
    }
    const flags = asIs || bytes.length < this.#compressFromBytes ? NO_COMPRESS : 0;
    this.#call.sendMessageWithContext(
      taken === undefined ? { flags } : { callback: taken, flags },
      bytes,
    );
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
    this.#headersCame = true;
    this.#listener.onHeaders(metadata);
  }

  onReceiveMessage(bytes: Buffer): void {
    this.#listener.onMessage(bytes);
  }

  onReceiveStatus(status: StatusObject): void {
    if (this.#failure !== undefined) {
      this.#listener.onEnd({ status: { ...status, ...this.#failure }, fromServer: false });
      return;
    }
    const fromServer = status.code === GrpcStatus.OK || isServerStatus(status, this.#headersCame);
    this.#listener.onEnd({ status, fromServer });
  }
}
