import { once } from 'node:events';
import {
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  createServer,
} from 'node:http2';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';

/** What came over one connection. */
export interface Session {
  streams: number;
  resets: number;
  isOpen: boolean;
}

/**
 * A server that counts what comes over each connection.
 *
 * @param answer what becomes of a call. Default: nothing.
 */
export async function silentServer(answer: (call: ServerHttp2Stream) => void = () => {}) {
  const sessions: Session[] = [];
  const open = new Set<ServerHttp2Session>();
  const server: Http2Server = createServer();
  server.on('session', (session) => {
    const seen: Session = { streams: 0, resets: 0, isOpen: true };
    sessions.push(seen);
    open.add(session);
    session.on('stream', (stream) => {
      seen.streams += 1;
      stream.on('error', () => {});
      stream.once('aborted', () => (seen.resets += 1));
      answer(stream);
    });
    session.on('error', () => {});
    session.once('close', () => {
      seen.isOpen = false;
      open.delete(session);
    });
  });
  const door = createTcpServer((socket) => server.emit('connection', socket));
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    sessions,
    endpoint: `127.0.0.1:${(door.address() as AddressInfo).port}`,
    /** Takes no connection any more, and leaves those that there are. */
    refuse: (): void => void door.close(),
    close: (): void => {
      for (const session of open) session.destroy();
      door.close();
    },
  };
}

/** Calls that came over all connections. */
export function streamsOf(sessions: readonly Session[]): number {
  return sessions.reduce((sum, { streams }) => sum + streams, 0);
}
