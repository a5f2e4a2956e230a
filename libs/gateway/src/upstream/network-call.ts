import { isServerStatus } from '@apix/calls';
import { thrownText } from '@apix/contracts';
import { wireCodec } from '@apix/proto/core';
import type { DescMethod } from '@bufbuild/protobuf';
import {
  type Channel,
  type InterceptingCall,
  type Metadata,
  type StatusObject,
  status as GrpcStatus,
} from '@grpc/grpc-js';
import type { ServerConnection } from './server-connection.js';
import type { AnswerListener, CallHead, MessageOrWire, UpstreamCall } from './upstream.js';

/** What grpc-js calls an InterceptingListener; it does not export the name. */
type GrpcListener = Required<NonNullable<Parameters<InterceptingCall['start']>[1]>>;

/** A call over a channel of grpc-js; its answers stay the bytes that they came as. */
export class NetworkCall implements UpstreamCall, GrpcListener {
  readonly #call: ReturnType<Channel['createCall']>;
  readonly #method: DescMethod;
  readonly #listener: AnswerListener;
  readonly #connection: ServerConnection;
  #headersCame = false;
  #wasReset = false;
  /** This end has given up over a message; how the server ends the call no longer counts. */
  #failure: Pick<StatusObject, 'code' | 'details'> | undefined;

  /** @param deadline milliseconds since the epoch. */
  constructor(
    { method, fullName }: Pick<CallHead, 'method' | 'fullName'>,
    deadline: number,
    connection: ServerConnection,
    listener: AnswerListener,
  ) {
    // Without the client of grpc-js, which notes a stack and builds an emitter for every call.
    this.#call = connection.channel.createCall(fullName, deadline, null, null, null);
    this.#method = method;
    this.#connection = connection;
    this.#listener = listener;
  }

  start(metadata: Metadata): void {
    this.#call.start(metadata, this);
    this.#connection.begin(this);
  }

  send(message: MessageOrWire, taken?: () => void): void {
    let bytes: Buffer;
    try {
      bytes = wireOf(this.#method, message);
    } catch (error) {
      this.#fail(`Request message serialization failure: ${thrownText(error)}`);
      return;
    }
    this.#call.sendMessageWithContext(taken === undefined ? {} : { callback: taken }, bytes);
  }

  halfClose(): void {
    this.#call.halfClose();
  }

  read(): void {
    this.#call.startRead();
  }

  cancel(): void {
    this.#reset(GrpcStatus.CANCELLED, 'Cancelled on client');
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#headersCame = true;
    this.#listener.onHeaders(metadata);
  }

  onReceiveMessage(bytes: Buffer): void {
    this.#listener.onMessage(bytes);
  }

  onReceiveStatus(status: StatusObject): void {
    const isOverdue = status.code === GrpcStatus.DEADLINE_EXCEEDED;
    this.#connection.end(this, this.#wasReset || isOverdue);
    if (this.#failure !== undefined) {
      this.#listener.onEnd({ status: { ...status, ...this.#failure }, fromServer: false });
      return;
    }
    const fromServer = status.code === GrpcStatus.OK || isServerStatus(status, this.#headersCame);
    this.#listener.onEnd({ status, fromServer });
  }

  /** Ends a call that has waited for a connection for too long. */
  giveUp(): void {
    this.#fail('No connection in time', GrpcStatus.UNAVAILABLE);
  }

  #fail(details: string, code = GrpcStatus.INTERNAL): void {
    this.#failure = { code, details };
    this.#reset(code, details);
  }

  #reset(code: GrpcStatus, details: string): void {
    this.#wasReset = true;
    this.#call.cancelWithStatus(code, details);
  }
}

function wireOf({ input }: DescMethod, message: MessageOrWire): Buffer {
  if (!(message instanceof Uint8Array)) return wireCodec(input).encode(message);
  return Buffer.isBuffer(message) ? message : Buffer.from(message);
}
