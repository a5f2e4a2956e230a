import { type AddressInfo, createServer } from 'node:net';

/** A port that nobody listens on just now, for a program that has to be told one. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
