import type { ServerResponse } from 'node:http';

/** How a response went. */
export interface ResponseResult {
  /** What was sent, or 499 when the caller went away before the end of the response. */
  readonly status: number;
  /** Bytes of body handed to the connection, after compression; 0 where HTTP sends no body. */
  readonly bytes: number;
  readonly aborted: boolean;
}

/** The status that nginx made customary for a caller that went away. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Counts the body of a response and reports once, when it is finished or its connection is gone.
 *
 * `write` and `end` are wrapped on this one object and nothing else is touched, so flushing,
 * hijacking, early hints and piping work as before. Installed before a compressing middleware
 * it counts the compressed bytes.
 */
export function watchResponse(res: ServerResponse, done: (result: ResponseResult) => void): void {
  let bytes = 0;
  const { write, end } = res;

  const counted =
    <F extends (...args: never[]) => unknown>(send: F) =>
    (...args: Parameters<F>): ReturnType<F> => {
      bytes += byteLength(args[0], args[1]);
      return send.apply(res, args) as ReturnType<F>;
    };
  res.write = counted(write) as typeof write;
  res.end = counted(end) as typeof end;

  res.once('close', () => {
    const aborted = !res.writableFinished && res.statusCode !== 101;
    done({
      status: aborted ? CLIENT_CLOSED_REQUEST : res.statusCode,
      bytes: hasBody(res) ? bytes : 0,
      aborted,
    });
  });
}

function byteLength(chunk: unknown, encoding: unknown): number {
  if (typeof chunk === 'string') {
    return Buffer.byteLength(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  }
  return chunk instanceof Uint8Array ? chunk.byteLength : 0;
}

/** RFC 9110, sections 6.4.1 and 9.3.2: no body after HEAD, nor with 1xx, 204 and 304. */
function hasBody(res: ServerResponse): boolean {
  const { statusCode } = res;
  return res.req.method !== 'HEAD' && statusCode >= 200 && statusCode !== 204 && statusCode !== 304;
}
