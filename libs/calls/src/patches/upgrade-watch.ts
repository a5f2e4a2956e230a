import type { Duplex } from 'node:stream';
import { CLIENT_CLOSED_REQUEST, type ResponseEnd } from './watched-events.js';

/** A head of an answer is expected within so many bytes. */
const MAX_HEAD = 16 * 1024;
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
const END_OF_HEAD = '\r\n\r\n';

/** How a connection that was handed over ended. */
export interface UpgradeEnd extends ResponseEnd {
  /** Those after the head of the answer. */
  readonly bytes: number;
}

export interface UpgradeObserver {
  /** Called once when the answer's head is written, if one is. Default: nothing. */
  answered?(status: number): void;
  /** Called once when the connection is gone. */
  upgradeEnded(end: UpgradeEnd): void;
}

/**
 * Reads the status of an answer that is written to the connection itself, as the protocols
 * behind an upgrade do, and reports when the connection is gone.
 */
export function watchUpgrade(socket: Duplex, observer: UpgradeObserver): void {
  const write = socket.write.bind(socket);
  const end = socket.end.bind(socket);
  const begun = bytesWritten(socket);
  let head = '';
  let isRead = false;

  const read = (chunk: unknown): void => {
    if (isRead) return;
    head += textOf(chunk);
    isRead = head.includes(END_OF_HEAD) || head.length > MAX_HEAD;
    if (!isRead) return;
    Object.assign(socket, { write, end });
    const status = statusIn(head);
    if (status !== undefined) observer.answered?.(status);
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
    const status = statusIn(head);
    const ends = head.indexOf(END_OF_HEAD);
    const headBytes = ends < 0 ? head.length : ends + END_OF_HEAD.length;
    observer.upgradeEnded({
      status: status ?? CLIENT_CLOSED_REQUEST,
      isSent: status !== undefined,
      bytes: Math.max(0, bytesWritten(socket) - begun - headBytes),
      cut: status === undefined || (status === 101 && isLeft) ? 'caller' : undefined,
    });
  });
}

function statusIn(head: string): number | undefined {
  const status = STATUS_LINE.exec(head)?.[1];
  return status === undefined ? undefined : Number(status);
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
