import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onConnectionLost } from './waiting-responses.js';

/** How a response went. */
export interface ResponseResult {
  /** What was sent, or 499 when the caller went away before anything was sent. */
  readonly status: number;
  /** Bytes of body handed to the connection, after compression; 0 where HTTP sends no body. */
  readonly bytes: number;
  /** Who ended a response before it was complete; undefined when it is. */
  readonly cut: 'caller' | 'server' | undefined;
}

/** Told once how a response, or a connection that was handed over, went. */
export interface ResponseObserver {
  end(result: ResponseResult): void;
}

/** The status that nginx made customary for a caller that went away. */
export const CLIENT_CLOSED_REQUEST = 499;

const WATCH = Symbol.for('apix.logx.ResponseWatch');

type Write = ServerResponse['write'];
type End = ServerResponse['end'];
/** The methods as whoever came before has left them; they are called on the response. */
interface Methods {
  readonly write: (...args: unknown[]) => boolean;
  readonly end: (...args: unknown[]) => ServerResponse;
}

type Watched = ServerResponse & { [WATCH]: ResponseWatch };

/**
 * Counts the body of a response and reports once, when it is finished or its connection is gone.
 *
 * `write` and `end` are replaced on this one object and nothing else is touched, so flushing,
 * hijacking, early hints and piping work as before. Installed before a compressing middleware
 * it counts the compressed bytes.
 */
export function watchResponse(
  res: ServerResponse,
  socket: Socket,
  observer: ResponseObserver,
): void {
  const watch = new ResponseWatch(res, socket, observer);
  (res as Watched)[WATCH] = watch;
  res.write = countingWrite as Write;
  res.end = countingEnd as End;
  res.on('close', finish);
  // A pipelined response waits for its turn, and never hears of the end of a connection that it
  // has not been given.
  if (res.socket === null) watch.stopWaiting = onConnectionLost(socket, () => watch.finish());
}

/** One object a response, and functions that all share: a closure each would cost more. */
class ResponseWatch {
  readonly write: Methods['write'];
  readonly end: Methods['end'];
  bytes = 0;
  stopWaiting: (() => void) | undefined;
  #isDone = false;

  constructor(
    private readonly res: ServerResponse,
    private readonly socket: Socket,
    private readonly observer: ResponseObserver,
  ) {
    const { write, end } = res as unknown as Methods;
    this.write = write;
    this.end = end;
  }

  finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.stopWaiting?.();
    const { res } = this;
    const cut = cutBy(res, this.socket);
    // A pipelined response that was never given its connection has sent nothing.
    const isSent = res.headersSent && (this.stopWaiting === undefined || res.socket !== null);
    const status = isSent ? res.statusCode : unsentStatus(res, cut);
    this.observer.end({ status, bytes: hasBody(res) ? this.bytes : 0, cut });
  }
}

function countingWrite(this: Watched, chunk: unknown, encoding?: unknown, done?: unknown): boolean {
  const watch = this[WATCH];
  watch.bytes += byteLength(chunk, encoding);
  return watch.write.call(this, chunk, encoding, done);
}

function countingEnd(
  this: Watched,
  chunk?: unknown,
  encoding?: unknown,
  done?: unknown,
): ServerResponse {
  const watch = this[WATCH];
  const before = watch.bytes;
  const result = watch.end.call(this, chunk, encoding, done);
  // HTTP/2's `end` calls `write`, HTTP/1's does not.
  if (watch.bytes === before) watch.bytes += byteLength(chunk, encoding);
  return result;
}

function finish(this: Watched): void {
  this[WATCH].finish();
}

function cutBy(res: ServerResponse, socket: Socket): ResponseResult['cut'] {
  if (isAbortedStream(res)) return res.writableFinished ? 'caller' : 'server';
  if (res.writableFinished || res.statusCode === 101) return undefined;
  const isCaller = socket.readableEnded || socket.errored !== null;
  return isCaller && !isDestroyed(res) ? 'caller' : 'server';
}

type MaybeStream = ServerResponse & { readonly stream?: { readonly aborted?: boolean } };

/**
 * A stream of HTTP/2 that was left or destroyed before its end. Node finishes the writable side of
 * one that the caller has left, and does not of one that the app destroys.
 */
function isAbortedStream(res: MaybeStream): boolean {
  return res.stream?.aborted === true;
}

/** By the app. From Node 24 on, Node itself does it to a response whose connection is gone. */
function isDestroyed({ errored }: ServerResponse): boolean {
  if (!errored) return false;
  return !('code' in errored && errored.code === 'ECONNRESET');
}

function unsentStatus(res: ServerResponse, cut: ResponseResult['cut']): number {
  if (cut === 'caller') return CLIENT_CLOSED_REQUEST;
  return cut === 'server' ? 500 : res.statusCode;
}

function byteLength(chunk: unknown, encoding: unknown): number {
  if (typeof chunk === 'string') {
    return Buffer.byteLength(
      chunk,
      typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8',
    );
  }
  return chunk instanceof Uint8Array ? chunk.byteLength : 0;
}

/** RFC 9110, sections 6.4.1 and 9.3.2: no body after HEAD, nor with 1xx, 204 and 304. */
function hasBody(res: ServerResponse): boolean {
  const { statusCode } = res;
  return res.req.method !== 'HEAD' && statusCode >= 200 && statusCode !== 204 && statusCode !== 304;
}
