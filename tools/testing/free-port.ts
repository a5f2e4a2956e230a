import { createServer } from 'node:net';

/** Below what systems give to connections that go out, any of which may take a port meanwhile. */
const [FIRST, LAST] = [20_000, 32_767];

/** A port that nobody listens on just now, for a program that has to be told one. */
export function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(freePort()));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}
