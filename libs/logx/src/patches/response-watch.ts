import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type EndObserver, type ResponseEnd, onResponseEnd } from '@apix/calls/internal';

/** How a response ended. */
export interface ResponseResult extends Pick<ResponseEnd, 'status' | 'cut' | 'error'> {
  /** Bytes of body passed to the connection, after compression; 0 if HTTP sends no body. */
  readonly bytes: number;
}

/** Called once when a response, or a connection that was handed over, has ended. */
export interface ResponseObserver {
  end(result: ResponseResult): void;
}

const WATCH = Symbol.for('apix.logx.ResponseWatch');

/** The original methods, or those of code that replaced them earlier; they are called on the response. */
interface Methods {
  readonly write: (chunk: unknown, encoding: unknown, done: unknown) => boolean;
  readonly end: (chunk: unknown, encoding: unknown, done: unknown) => ServerResponse;
}

type Write = ServerResponse['write'];
type End = ServerResponse['end'];
type Watched = ServerResponse & { [WATCH]: ResponseWatch };

/**
 * Counts the body of a response and reports once, when it is finished or its connection is gone.
 *
 * `write` and `end` are replaced on this one object and nothing else is touched, so flushing, hijacking,
 * early hints and piping work as before. If installed before a compressing middleware, it counts the
 * compressed bytes.
 */
export function watchResponse(
  res: ServerResponse,
  socket: Socket,
  observer: ResponseObserver,
): void {
  const watch = new ResponseWatch(res, observer);
  (res as Watched)[WATCH] = watch;
  res.write = countingWrite as Write;
  res.end = countingEnd as End;
  onResponseEnd(res, socket, watch);
}

/** One object per response, and functions that all share: a closure for each would cost more. */
class ResponseWatch implements EndObserver, ResponseResult {
  readonly write: Methods['write'];
  readonly end: Methods['end'];
  status = 0;
  cut: ResponseEnd['cut'];
  error: unknown;
  /** Bytes passed to `write`. */
  written = 0;
  /** The text passed to `end`. */
  last = '';
  lastEncoding: unknown;

  constructor(
    private readonly res: ServerResponse,
    private readonly observer: ResponseObserver,
  ) {
    const { write, end } = res as unknown as Methods;
    this.write = write;
    this.end = end;
  }

  /** Counted when it is read: most responses are one text, and counting its bytes means reading all of it. */
  get bytes(): number {
    return hasBody(this.res) ? this.written + byteLength(this.last, this.lastEncoding) : 0;
  }

  responseEnded({ status, cut, error }: ResponseEnd): void {
    this.status = status;
    this.cut = cut;
    this.error = error;
    this.observer.end(this);
  }
}

function countingWrite(this: Watched, chunk: unknown, encoding?: unknown, done?: unknown): boolean {
  const watch = this[WATCH];
  watch.written += byteLength(chunk, encoding);
  return watch.write.call(this, chunk, encoding, done);
}

function countingEnd(
  this: Watched,
  chunk?: unknown,
  encoding?: unknown,
  done?: unknown,
): ServerResponse {
  const watch = this[WATCH];
  const before = watch.written;
  const result = watch.end.call(this, chunk, encoding, done);
  // HTTP/2's `end` calls `write`, HTTP/1's does not.
  if (watch.written !== before) return result;
  if (typeof chunk === 'string' && watch.last === '') {
    watch.last = chunk;
    watch.lastEncoding = encoding;
  } else {
    watch.written += byteLength(chunk, encoding);
  }
  return result;
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
