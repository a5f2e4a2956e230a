import {
  type MessageOrWire,
  type SendContext,
  type Call,
  type CallHead,
  type CallListener,
} from '@apix/calls';
import { isServerStatus } from '@apix/calls/internal';
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
import type { WaitingCall } from './connecting.js';
import { otherAnswer } from './other-answer.js';
import type { ServerConnection } from './server-connection.js';

/** What grpc-js calls an InterceptingListener; it does not export the name. */
type ChannelListener = Required<NonNullable<Parameters<InterceptingCall['start']>[1]>>;

/** `WriteFlags.NoCompress` of grpc-js, which it does not export. Without compression it has no effect. */
const NO_COMPRESS = 2;

type OwnStatus = Pick<StatusObject, 'code' | 'details'>;

/** A call over a channel of grpc-js; its answers are passed on as the received bytes. */
export class ChannelCall implements Call, ChannelListener, WaitingCall {
  readonly #call: ReturnType<Channel['createCall']>;
  readonly #method: DescMethod;
  readonly #listener: CallListener;
  readonly #compressFromBytes: number;
  readonly #connection: ServerConnection<Channel>;
  #isPatient = false;
  #headersCame = false;
  #wasReset = false;
  /** The content type of an answer that is not one of gRPC. */
  #otherType: string | undefined;
  /** The code and text that replace those of the status, because this end gave up or the answer is not gRPC. */
  #failure: OwnStatus | undefined;

  constructor(
    connection: ServerConnection<Channel>,
    { method, path, deadline }: Pick<CallHead, 'method' | 'path' | 'deadline'>,
    listener: CallListener,
    compressFromBytes: number,
  ) {
    // Without the client of grpc-js, which captures a stack and builds an emitter for every call.
    this.#call = connection.channel.createCall(path, deadline, null, null, null);
    this.#method = method;
    this.#connection = connection;
    this.#listener = listener;
    this.#compressFromBytes = compressFromBytes;
  }

  get isPatient(): boolean {
    return this.#isPatient;
  }

  start(metadata: Metadata): void {
    this.#isPatient = metadata.getOptions().waitForReady === true;
    this.#call.start(metadata, this);
    this.#connection.begin(this);
  }

  send(message: MessageOrWire, { taken, asIs = false }: SendContext = {}): void {
    let bytes: Buffer;
    try {
      bytes = wireOf(this.#method, message);
    } catch (error) {
      this.#fail(
        GrpcStatus.INTERNAL,
        `Request message serialization failure: ${thrownText(error)}`,
      );
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
    this.#reset(GrpcStatus.CANCELLED, 'Cancelled on client');
  }

  giveUp(): void {
    this.#fail(GrpcStatus.UNAVAILABLE, 'No connection in time');
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#headersCame = true;
    const [type] = metadata.get('content-type');
    if (typeof type === 'string' && !type.startsWith('application/grpc')) this.#otherType = type;
    this.#listener.onHeaders(metadata);
  }

  onReceiveMessage(bytes: Buffer): void {
    this.#listener.onMessage(bytes);
  }

  onReceiveStatus(status: StatusObject): void {
    const { code } = status;
    const fromServer = code === GrpcStatus.OK || isServerStatus(status, this.#headersCame);
    this.#connection.end(this, this.#wasReset || isReset(code, fromServer));
    // grpc-js takes it for messages; a status of HTTP that is an error itself says more.
    if (this.#otherType !== undefined && !status.details.startsWith('Received HTTP status code')) {
      this.#failure ??= otherAnswer(this.#otherType);
    }
    if (this.#failure === undefined) this.#listener.onEnd({ status, fromServer });
    else this.#listener.onEnd({ status: { ...status, ...this.#failure }, fromServer: false });
  }

  #fail(code: GrpcStatus, details: string): void {
    this.#failure = { code, details };
    this.#reset(code, details);
  }

  #reset(code: GrpcStatus, details: string): void {
    this.#wasReset = true;
    this.#call.cancelWithStatus(code, details);
  }
}

/** Whether grpc-js ended the stream: over the deadline, or an answer above the limit. */
function isReset(code: GrpcStatus, fromServer: boolean): boolean {
  return (
    code === GrpcStatus.DEADLINE_EXCEEDED || (code === GrpcStatus.RESOURCE_EXHAUSTED && !fromServer)
  );
}

function wireOf({ input }: DescMethod, message: MessageOrWire): Buffer {
  if (!(message instanceof Uint8Array)) return wireCodec(input).encode(message);
  return Buffer.isBuffer(message) ? message : Buffer.from(message);
}
