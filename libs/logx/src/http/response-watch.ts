import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onConnectionLost } from './waiting-responses.js';

/** How a response went. */
export interface ResponseResult {
  /** What was sent, or 499 when the caller went away before the end of the response. */
  readonly status: number;
  /** Bytes of body handed to the connection, after compression; 0 where HTTP sends no body. */
  readonly bytes: number;
  /** Why the response is not complete; undefined when it is. */
  readonly cut: 'caller' | 'server' | undefined;
}

/** The status that nginx made customary for a caller that went away. */
export const CLIENT_CLOSED_REQUEST = 499;

/**
 * Counts the body of a response and reports once, when it is finished or its connection is gone.
 *
 * `write` and `end` are wrapped on this one object and nothing else is touched, so flushing,
 * hijacking, early hints and piping work as before. Installed before a compressing middleware
 * it counts the compressed bytes.
 */
export function watchResponse(
  res: ServerResponse,
  socket: Socket,
  done: (result: ResponseResult) => void,
): void {
  let bytes = 0;
  let isDone = false;
  const write = res.write.bind(res);
  const end = res.end.bind(res);

  res.write = ((...args: Parameters<typeof write>) => {
    bytes += byteLength(args[0], args[1]);
    return write(...args);
  }) as typeof write;
  res.end = ((...args: Parameters<typeof end>) => {
    const before = bytes;
    const result = end(...args);
    // HTTP/2's `end` calls `write`, HTTP/1's does not.
    if (bytes === before) bytes += byteLength(args[0], args[1]);
    return result;
  }) as typeof end;

  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    stopWaiting?.();
    const cut = cutBy(res, socket);
    done({ status: statusOf(res, cut), bytes: hasBody(res) ? bytes : 0, cut });
  };
  // A pipelined response waits for its turn, and never hears of the end of a connection that it
  // has not been given.
  const stopWaiting = res.socket === null ? onConnectionLost(socket, finish) : undefined;
  res.on('close', finish);
}

function cutBy(res: ServerResponse, socket: Socket): ResponseResult['cut'] {
  if (res.writableFinished || res.statusCode === 101) return undefined;
  const isCaller = socket.readableEnded || socket.errored !== null;
  return isCaller && !res.errored ? 'caller' : 'server';
}

function statusOf(res: ServerResponse, cut: ResponseResult['cut']): number {
  if (cut === 'caller') return CLIENT_CLOSED_REQUEST;
  return cut === 'server' && !res.headersSent ? 500 : res.statusCode;
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
