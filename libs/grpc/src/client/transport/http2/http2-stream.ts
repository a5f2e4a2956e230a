import { type ClientHttp2Stream, type IncomingHttpHeaders, constants } from 'node:http2';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { TransportEnd } from '../call-transport.js';
import { otherAnswer } from '../other-answer.js';
import {
  LOST,
  type StatusOfClient,
  endOfTrailers,
  receivedMetadata,
  ofHttp,
  ofReset,
  ownEnd,
} from './call-end.js';
import { type MessageFrame, FrameReader, TooLarge } from './frame-reader.js';
import type { Http2Link } from './http2-link.js';

/** The side that ended a stream; `refusal`: the server, without having processed the call. */
export type ClosedBy = 'server' | 'refusal' | 'client';

/** The events of a stream for its call. */
export interface AttemptListener {
  onHeaders(headers: Metadata): void;
  /** Once for each {@link Http2CallStream.read}. */
  onFrame(frame: MessageFrame): void;
  /** Once. */
  onClosed(end: TransportEnd, by: ClosedBy): void;
}

/** One stream of HTTP/2, as an attempt to make a call. */
export class Http2CallStream {
  readonly #stream: ClientHttp2Stream;
  readonly #link: Http2Link;
  readonly #listener: AttemptListener;
  readonly #reader: FrameReader;
  readonly #frames: MessageFrame[] = [];
  #httpStatus: number | undefined;
  #isWanted = false;
  #isFlowing = true;
  /** The end sent by the server; reported once all data before it was read. */
  #end: TransportEnd | undefined;
  #isOver = false;

  constructor(
    stream: ClientHttp2Stream,
    link: Http2Link,
    listener: AttemptListener,
    maxReceiveBytes: number,
  ) {
    this.#stream = stream;
    this.#link = link;
    this.#listener = listener;
    this.#reader = new FrameReader(maxReceiveBytes);
    stream.on('response', (headers, flags) => this.#onResponse(headers, flags));
    stream.on('data', (data: Buffer) => this.#onData(data));
    stream.on('trailers', (headers) => this.#onTrailers(headers));
    stream.on('close', () => this.#onClose());
    // The reason is in the code of the reset.
    stream.on('error', () => {});
  }

  /** @param taken called when the next one may be sent. */
  write(frame: Buffer, taken: (() => void) | undefined): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    if (taken === undefined) this.#stream.write(frame);
    else {
      // In a later turn: the stream must not be touched inside the callback of a write.
      this.#stream.write(frame, (error) => {
        if (error === null || error === undefined) process.nextTick(taken);
      });
    }
  }

  halfClose(): void {
    if (!this.#stream.destroyed && !this.#stream.writableEnded) this.#stream.end();
  }

  read(): void {
    this.#isWanted = true;
    if (this.#frames.length > 0) process.nextTick(() => this.#deliver());
    else this.#flow();
  }

  /** Resets the stream; nothing is called any more. */
  cancel(): void {
    if (this.#isOver) return;
    this.#leave();
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #flow(): void {
    if (this.#isFlowing || this.#isOver) return;
    this.#isFlowing = true;
    this.#stream.resume();
  }

  #onResponse(headers: IncomingHttpHeaders, flags: number): void {
    if (this.#isOver) return;
    const httpStatus = Number(headers[':status']);
    this.#httpStatus = httpStatus;
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
      this.#onTrailers(headers);
      return;
    }
    this.#listener.onHeaders(receivedMetadata(headers));
    if (this.#isOver) return;
    const type = headers['content-type'];
    if (type === undefined || type.startsWith('application/grpc')) return;
    // Its body is not one of messages.
    this.#finish(ownEnd(httpStatus === 200 ? otherAnswer(type) : ofHttp(httpStatus)));
  }

  #onData(data: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#reader.read(data, (frame) => this.#frames.push(frame));
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.#finish(ownEnd(this.#tooLarge(error)));
      return;
    }
    this.#deliver();
    if (this.#frames.length > 0 && this.#isFlowing) {
      this.#isFlowing = false;
      this.#stream.pause();
    }
  }

  #tooLarge({ message }: TooLarge): StatusOfClient {
    const httpStatus = this.#httpStatus ?? 200;
    // The page of a proxy begins like a long message.
    if (httpStatus !== 200) return ofHttp(httpStatus);
    return { code: GrpcStatus.RESOURCE_EXHAUSTED, details: message };
  }

  #deliver(): void {
    while (this.#isWanted && !this.#isOver) {
      const frame = this.#frames.shift();
      if (frame === undefined) break;
      this.#isWanted = false;
      this.#listener.onFrame(frame);
    }
    if (this.#frames.length > 0 || this.#isOver) return;
    if (this.#end !== undefined && this.#stream.readableLength === 0) this.#finish(this.#end);
    else if (this.#isWanted) this.#flow();
  }

  #onTrailers(headers: IncomingHttpHeaders): void {
    if (this.#isOver) return;
    const end = endOfTrailers(headers, this.#httpStatus ?? 0);
    this.#end = end;
    if (end.status.code === GrpcStatus.OK) this.#deliver();
    // As with grpc-js, a failure waits for no reader.
    else this.#finish(end);
  }

  #onClose(): void {
    // All data that is still to be read may be here.
    if (this.#isOver || (this.#end !== undefined && this.#stream.readableLength === 0)) return;
    const isLost = this.#end !== undefined || this.#link.isLost;
    const { rstCode } = this.#stream;
    const isUnseen = rstCode === constants.NGHTTP2_REFUSED_STREAM && this.#httpStatus === undefined;
    this.#leave();
    const status = isLost && !isUnseen ? LOST : ofReset(rstCode, this.#httpStatus);
    this.#listener.onClosed(ownEnd(status), isUnseen ? 'refusal' : 'server');
  }

  #finish(end: TransportEnd): void {
    this.#leave();
    const isReset = this.#end === undefined;
    if (isReset) this.#stream.close(constants.NGHTTP2_CANCEL);
    else if (!this.#stream.destroyed && !this.#stream.writableEnded) this.#stream.end();
    // Unread data would keep it open.
    this.#stream.resume();
    this.#listener.onClosed(end, isReset ? 'client' : 'server');
  }

  #leave(): void {
    this.#isOver = true;
    this.#frames.length = 0;
    this.#link.end();
  }
}
