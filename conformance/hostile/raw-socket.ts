import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A connection on which anything can be written. */
export interface RawSocket {
  readonly socket: Socket;
  /** What came so far, byte by byte. */
  readonly received: () => string;
  readonly isClosed: () => boolean;
  /** Resolves at the end of the connection, or with false once the time is over. */
  readonly closed: (withinMs: number) => Promise<boolean>;
  /** Resolves once something has come that fits, the connection has ended, or the time is over. */
  readonly until: (text: RegExp, withinMs: number) => Promise<string>;
  /**
   * Writes the chunk again and again, as fast as it is taken, until the connection ends, the
   * bytes are sent or the time is over; resolves with how many bytes were taken.
   */
  readonly pour: (chunk: Uint8Array, limits: PourLimits) => Promise<number>;
}

export interface PourLimits {
  readonly bytes: number;
  readonly ms: number;
}

const STEP_MS = 10;

export async function rawSocket(port: number): Promise<RawSocket> {
  const socket = connect(port, '127.0.0.1');
  const state = { text: '', isClosed: false };
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => (state.text += chunk.toString('latin1')));
  // A reset is one way of being closed; rows look at what has come.
  socket.on('error', () => {});
  socket.on('close', () => (state.isClosed = true));
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve).once('close', () => resolve());
  });
  const wait = async (isEnough: () => boolean, withinMs: number): Promise<void> => {
    const end = performance.now() + withinMs;
    while (!state.isClosed && !isEnough() && performance.now() < end) await sleep(STEP_MS);
  };
  return {
    socket,
    received: () => state.text,
    isClosed: () => state.isClosed,
    closed: async (withinMs) => {
      await wait(() => false, withinMs);
      return state.isClosed;
    },
    until: async (wanted, withinMs) => {
      await wait(() => wanted.test(state.text), withinMs);
      return state.text;
    },
    pour: async (chunk, { bytes, ms }) => {
      const end = performance.now() + ms;
      let sent = 0;
      while (!state.isClosed && sent < bytes && performance.now() < end) {
        if (socket.writableLength > chunk.length) {
          await sleep(1);
          continue;
        }
        socket.write(chunk);
        sent += chunk.length;
      }
      return sent - socket.writableLength;
    },
  };
}

/** The statuses of the HTTP/1.1 answers in a text, such as `401` or `200 400`. */
export function statusesIn(text: string): string {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status).join(' ');
}
