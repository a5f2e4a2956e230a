import { type Socket, connect } from 'node:net';

/** A TCP connection that a test writes HTTP to by hand. */
export interface RawClient {
  readonly socket: Socket;
  send(text: string): void;
  /** Resolves with everything received once that has `text` in it; rejects if it closes before. */
  received(text: string): Promise<string>;
  /** Resolves with everything received once the connection has closed. */
  closed(): Promise<string>;
}

export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  // A reset is one way of being closed; tests look at what arrived.
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    socket,
    send: (data) => void socket.write(data),
    received: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!text.includes(wanted)) return;
          socket.off('data', look);
          resolve(text);
        };
        socket.on('data', look);
        socket.once('close', () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
        look();
      }),
    closed: () => closed,
  };
}

export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
