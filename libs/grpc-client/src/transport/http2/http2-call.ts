import { thrownText } from '@apix/contracts';
import { MAX_TIMER_MS } from '@apix/contracts/internal';
import { wireCodec } from '@apix/proto/core';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { MessageOrWire, SendContext, Call, CallEnd, CallListener } from '@apix/calls';
import type { WaitingCall } from '../connecting.js';
import type { NetworkHead } from '../network-way.js';
import type { ServerConnection } from '../server-connection.js';
import { type StatusOfClient, ownEnd } from './call-end.js';
import { type MessageFrame, frameOf } from './frame-reader.js';
import type { Connectee, Http2Channel } from './http2-channel.js';
import type { Http2Link } from './http2-link.js';
import { type ClosedBy, Http2CallStream, type AttemptListener } from './http2-stream.js';
import { type Algorithm, compressMessage, decompressMessage } from './message-codec.js';
import { requestHeaders } from './request-headers.js';
import { SentFrames } from './sent-frames.js';

/** A call over a connection of HTTP/2; its answers are passed on as the received bytes. */
export class Http2Call implements Call, WaitingCall, Connectee, AttemptListener {
  readonly #connection: ServerConnection<Http2Channel>;
  readonly #head: NetworkHead;
  readonly #listener: CallListener;
  readonly #frames = new SentFrames();
  readonly #algorithm: Algorithm | undefined;
  readonly #begunAt = Date.now();
  readonly #isPatient: boolean;
  #stream: Http2CallStream | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Messages that are being compressed, and what follows them. */
  #sending: Promise<void> | undefined;
  #isWanted = false;
  #wasRefused = false;
  #hasEnded = false;
  /** Of the answer. */
  #encoding: string | undefined;
  /** A message is being inflated; later ones wait. */
  #isInflating = false;
  #endAfter: CallEnd | undefined;

  constructor(
    connection: ServerConnection<Http2Channel>,
    head: NetworkHead,
    listener: CallListener,
  ) {
    this.#connection = connection;
    this.#head = head;
    this.#listener = listener;
    this.#isPatient = head.metadata.getOptions().waitForReady === true;
    this.#algorithm = acceptedAlgorithm(connection.channel);
  }

  get isPatient(): boolean {
    return this.#isPatient;
  }

  start(): void {
    this.#connection.begin(this);
    const { deadline } = this.#head;
    if (deadline !== Infinity) this.#watch(deadline - Date.now());
    this.#connection.channel.join(this);
  }

  send(message: MessageOrWire, { taken, asIs = false }: SendContext = {}): void {
    if (this.#hasEnded) return;
    const { maxSendBytes, compressFromBytes } = this.#connection.channel.settings;
    let bytes: Uint8Array;
    try {
      bytes =
        message instanceof Uint8Array
          ? message
          : wireCodec(this.#head.method.input).encode(message);
    } catch (error) {
      const details = `Request message serialization failure: ${thrownText(error)}`;
      this.#fail({ code: GrpcStatus.INTERNAL, details });
      return;
    }
    if (maxSendBytes !== -1 && bytes.length > maxSendBytes) {
      const details = `Attempted to send message with a size larger than ${maxSendBytes}`;
      this.#fail({ code: GrpcStatus.RESOURCE_EXHAUSTED, details });
      return;
    }
    const algorithm = asIs || bytes.length < compressFromBytes ? undefined : this.#algorithm;
    if (algorithm !== undefined) {
      this.#afterSending(() => this.#sendCompressed(algorithm, bytes, taken));
    } else if (this.#sending === undefined) this.#frames.send(frameOf(bytes, false), taken);
    else this.#afterSending(() => this.#frames.send(frameOf(bytes, false), taken));
  }

  halfClose(): void {
    if (this.#sending === undefined) this.#frames.halfClose();
    else this.#afterSending(() => this.#frames.halfClose());
  }

  read(): void {
    if (this.#hasEnded) return;
    this.#isWanted = true;
    this.#stream?.read();
  }

  cancel(): void {
    this.#fail({ code: GrpcStatus.CANCELLED, details: 'Cancelled on client' });
  }

  giveUp(): void {
    this.#fail({ code: GrpcStatus.UNAVAILABLE, details: 'No connection in time' });
  }

  onLink(link: Http2Link): void {
    const { channel } = this.#connection;
    const { path, metadata, deadline } = this.#head;
    let headers;
    try {
      headers = requestHeaders(path, metadata, deadline, this.#algorithm, channel.settings);
    } catch (error) {
      const details = `Failed to start HTTP/2 stream with error ${thrownText(error)}`;
      this.#fail({ code: GrpcStatus.INTERNAL, details });
      return;
    }
    const { maxReceiveBytes } = channel.settings;
    this.#stream = new Http2CallStream(link, headers, this, maxReceiveBytes);
    this.#frames.sendTo(this.#stream);
    if (this.#isWanted) this.#stream.read();
  }

  onNoConnection(details: string): void {
    this.#fail({ code: GrpcStatus.UNAVAILABLE, details });
  }

  onHeaders(headers: Metadata): void {
    this.#frames.commit();
    const [encoding] = headers.get('grpc-encoding');
    this.#encoding = encoding === undefined ? undefined : String(encoding);
    const [accepted] = headers.get('grpc-accept-encoding');
    if (accepted !== undefined) {
      this.#connection.channel.acceptedEncodings = String(accepted);
    }
    headers.remove('grpc-encoding');
    headers.remove('grpc-accept-encoding');
    this.#listener.onHeaders(headers);
  }

  onFrame(frame: MessageFrame): void {
    this.#isWanted = false;
    if (frame.isCompressed) this.#inflate(frame);
    else this.#listener.onMessage(frame.bytes);
  }

  onClosed(end: CallEnd, by: ClosedBy): void {
    this.#stream = undefined;
    if (by === 'refusal' && !this.#wasRefused && this.#frames.canRepeat) {
      // Transparent retry: the server has done nothing with it (gRFC A6).
      this.#wasRefused = true;
      this.#frames.detach();
      this.#connection.channel.join(this);
    } else if (this.#isInflating) this.#endAfter = end;
    else this.#end(end, by === 'client');
  }

  #sendCompressed(
    algorithm: Algorithm,
    bytes: Uint8Array,
    taken: (() => void) | undefined,
  ): Promise<void> {
    return new Promise((resolve) => {
      compressMessage(algorithm, bytes, (result) => {
        if ('failure' in result) this.#fail(result.failure);
        else if (!this.#hasEnded) this.#frames.send(frameOf(result.bytes, true), taken);
        resolve();
      });
    });
  }

  #afterSending(run: () => Promise<void> | void): void {
    this.#sending = (this.#sending ?? Promise.resolve()).then(run);
  }

  #inflate(frame: MessageFrame): void {
    const { maxReceiveBytes } = this.#connection.channel.settings;
    this.#isInflating = true;
    decompressMessage(frame, this.#encoding, maxReceiveBytes, (result) => {
      this.#isInflating = false;
      if (this.#hasEnded) return;
      if ('failure' in result) this.#fail(result.failure);
      else {
        this.#listener.onMessage(result.bytes);
        if (this.#endAfter !== undefined && !this.#isInflating) this.#end(this.#endAfter, false);
      }
    });
  }

  /**
   * Ends the call after `leftMs`. Timers may fire 1 ms early by `Date.now()`; waiting for the rest would let the server,
   * whose own timer does the same, answer first.
   */
  #watch(leftMs: number): void {
    this.#timer = setTimeout(
      () => {
        if (leftMs > MAX_TIMER_MS) {
          this.#watch(this.#head.deadline - Date.now());
          return;
        }
        const seconds = ((Date.now() - this.#begunAt) / 1_000).toFixed(3);
        const details = `Deadline exceeded after ${seconds}s`;
        this.#fail({ code: GrpcStatus.DEADLINE_EXCEEDED, details });
      },
      Math.min(Math.max(leftMs, 0), MAX_TIMER_MS),
    );
  }

  /** Ends the call from this end; its caller is notified in a later turn. */
  #fail(status: StatusOfClient): void {
    if (this.#hasEnded) return;
    const wasSent = this.#stream !== undefined;
    this.#stream?.cancel();
    this.#connection.channel.forget(this);
    this.#hasEnded = true;
    process.nextTick(() => this.#report(ownEnd(status), wasSent));
  }

  #end(end: CallEnd, wasReset: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#report(end, wasReset);
  }

  #report(end: CallEnd, wasReset: boolean): void {
    clearTimeout(this.#timer);
    this.#frames.commit();
    this.#connection.end(this, wasReset);
    this.#listener.onEnd(end);
  }
}

/** The configured compression, unless the server has stated that it cannot read it. */
function acceptedAlgorithm({
  settings: { compression },
  acceptedEncodings,
}: Http2Channel): Algorithm | undefined {
  if (compression === undefined || acceptedEncodings === undefined) return compression;
  const accepted = acceptedEncodings.split(',').map((it) => it.trim());
  return accepted.includes(compression) ? compression : undefined;
}
