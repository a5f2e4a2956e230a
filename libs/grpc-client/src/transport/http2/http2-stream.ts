import type { IncomingHttpHeaders } from 'node:http2';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { CallEnd } from '@apix/calls';
import {
  type ClientStream,
  type ClientStreamListener,
  HTTP2_ERROR,
  type ReceivedHeaders,
} from '@apix/http2';
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
  /** At most once for each {@link Http2CallStream.read}. */
  onFrame(frame: MessageFrame): void;
  /** Once, unless the stream was cancelled. */
  onClosed(end: CallEnd, by: ClosedBy): void;
}

/** One stream of HTTP/2, as an attempt to make a call. */
export class Http2CallStream implements ClientStreamListener {
  readonly #stream: ClientStream;
  readonly #link: Http2Link;
  readonly #listener: AttemptListener;
  readonly #reader: FrameReader;
  readonly #frames: MessageFrame[] = [];
  #httpStatus: number | undefined;
  #isWanted = false;
  #isFlowing = true;
  /** The end sent by the server; OK is reported once all data before it was read, a failure at once. */
  #end: CallEnd | undefined;
  #isOver = false;

  constructor(
    link: Http2Link,
    headers: readonly string[],
    listener: AttemptListener,
    maxReceiveBytes: number,
  ) {
    this.#link = link;
    this.#listener = listener;
    this.#reader = new FrameReader(maxReceiveBytes);
    this.#stream = link.begin(headers, this);
  }

  /** @param taken called when the next one may be sent. */
  write(frame: Buffer, taken: (() => void) | undefined): void {
    this.#stream.write(frame, taken);
  }

  halfClose(): void {
    this.#stream.end();
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
    this.#stream.close(HTTP2_ERROR.cancel);
  }

  #flow(): void {
    if (this.#isFlowing || this.#isOver) return;
    this.#isFlowing = true;
    this.#stream.resume();
  }

  onHeaders({ headers, status }: ReceivedHeaders, endsStream: boolean): void {
    if (this.#isOver) return;
    this.#httpStatus ??= status;
    if (endsStream) this.#onTrailers(headers);
    else this.#onResponse(headers, this.#httpStatus!);
  }

  onData(data: Buffer): void {
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

  onClosed(code: number | 'lost'): void {
    if (this.#isOver) return;
    const isUnseen = code === HTTP2_ERROR.refusedStream && this.#httpStatus === undefined;
    this.#leave();
    const status = code === 'lost' ? LOST : ofReset(code, this.#httpStatus);
    this.#listener.onClosed(ownEnd(status), isUnseen ? 'refusal' : 'server');
  }

  #onResponse(headers: IncomingHttpHeaders, httpStatus: number): void {
    this.#listener.onHeaders(receivedMetadata(headers));
    if (this.#isOver) return;
    const type = headers['content-type'];
    if (type === undefined || type.startsWith('application/grpc')) return;
    // Its body is not one of messages.
    this.#finish(ownEnd(httpStatus === 200 ? otherAnswer(type) : ofHttp(httpStatus)));
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
    if (this.#end !== undefined) this.#finish(this.#end);
    else if (this.#isWanted) this.#flow();
  }

  #onTrailers(headers: IncomingHttpHeaders): void {
    const end = endOfTrailers(headers, this.#httpStatus ?? 0);
    this.#end = end;
    if (end.status.code === GrpcStatus.OK) this.#deliver();
    // As with grpc-js, a failure waits for no reader.
    else this.#finish(end);
  }

  #finish(end: CallEnd): void {
    this.#leave();
    const isReset = this.#end === undefined;
    // A server that has ended the call reads no more of it.
    if (isReset || this.#stream.hasPending) this.#stream.close(HTTP2_ERROR.cancel);
    else this.#stream.end();
    this.#listener.onClosed(end, isReset ? 'client' : 'server');
  }

  #leave(): void {
    this.#isOver = true;
    this.#frames.length = 0;
    this.#link.end();
  }
}
