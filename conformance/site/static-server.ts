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
    void readFor(folder, base, request.url ?? '/').then((found) =>
      found === undefined
        ? response.writeHead(404).end()
        : response.writeHead(200, { 'content-type': found.type }).end(found.bytes),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function readFor(
  folder: string,
  base: string,
  url: string,
): Promise<{ readonly type: string; readonly bytes: Buffer } | undefined> {
  const path = decodeURI(new URL(url, 'http://x').pathname);
  if (!path.startsWith(base)) return undefined;
  const inside = normalize(`/${path.slice(base.length)}`);
  const file = join(folder, inside.endsWith('/') ? `${inside}index.html` : inside);
  try {
    return { type: TYPES[extname(file)] ?? 'text/plain', bytes: await readFile(file) };
  } catch {
    return undefined;
  }
}
