import type { Duplex } from 'node:stream';
import { CLIENT_CLOSED_REQUEST, type ResponseResult } from './response-watch.js';

/** A head of an answer is expected within so many bytes. */
const MAX_HEAD = 16 * 1024;
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
const END_OF_HEAD = '\r\n\r\n';

/**
 * Reads the status of an answer that is written to the connection itself, as the protocols
 * behind an upgrade do, and reports when the connection is gone. Bytes are those after the head.
 */
export function watchUpgrade(socket: Duplex, done: (result: ResponseResult) => void): void {
  const write = socket.write.bind(socket);
  const end = socket.end.bind(socket);
  const begun = bytesWritten(socket);
  let head = '';
  let isRead = false;

  const read = (chunk: unknown): void => {
    if (isRead) return;
    head += textOf(chunk);
    isRead = head.includes(END_OF_HEAD) || head.length > MAX_HEAD;
    if (isRead) Object.assign(socket, { write, end });
  };
  socket.write = ((...args: Parameters<typeof write>) => {
    read(args[0]);
    return write(...args);
  }) as typeof write;
  socket.end = ((...args: Parameters<typeof end>) => {
    read(args[0]);
    return end(...args);
  }) as typeof end;

  let isLeft = false;
  // Before the listeners of the protocol, which end their side in answer.
  socket.prependOnceListener('end', () => {
    isLeft = !socket.writableEnded;
  });
  socket.once('close', () => {
    isLeft ||= socket.errored !== null && !socket.writableEnded;
    const status = STATUS_LINE.exec(head)?.[1];
    const ends = head.indexOf(END_OF_HEAD);
    const headBytes = ends < 0 ? head.length : ends + END_OF_HEAD.length;
    done({
      status: status === undefined ? CLIENT_CLOSED_REQUEST : Number(status),
      bytes: Math.max(0, bytesWritten(socket) - begun - headBytes),
      cut: status === undefined || (status === '101' && isLeft) ? 'caller' : undefined,
    });
  });
}

function bytesWritten(socket: Duplex): number {
  return 'bytesWritten' in socket && typeof socket.bytesWritten === 'number'
    ? socket.bytesWritten
    : 0;
}

function textOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk;
  return chunk instanceof Uint8Array ? Buffer.from(chunk).toString('latin1') : '';
}
