import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
};

export interface StaticServer {
  readonly origin: string;
  close(): void;
}

/** Serves files as the simplest of hosts would: no rewriting, `index.html` for a folder. */
export async function serveFolder(folder: string, base: string): Promise<StaticServer> {
  const server: Server = createServer((request, response) => {
    const path = decodeURI(new URL(request.url ?? '/', 'http://x').pathname);
    const inside = path.startsWith(base) ? normalize(`/${path.slice(base.length)}`) : '/none';
    const file = join(folder, inside.endsWith('/') ? `${inside}index.html` : inside);
    readFile(file).then(
      (bytes) => {
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
        response.end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
