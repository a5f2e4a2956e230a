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
  '.svg': 'image/svg+xml',
};

/** A built site. */
export interface Site {
  readonly folder: string;
  /** The path under which it is served, with slashes at both ends. */
  readonly base: string;
}

export interface StaticServer {
  readonly origin: string;
  close(): void;
}

interface Found {
  readonly status: 200 | 404;
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * Serves files as the simplest of hosts does: no rewriting, `index.html` for a folder, `404.html`
 * for what is not there. The first site whose base fits answers.
 */
export async function serveSites(sites: readonly Site[]): Promise<StaticServer> {
  const server: Server = createServer((request, response) => {
    void readFor(sites, request.url ?? '/').then((found) =>
      found === undefined
        ? response.writeHead(404).end()
        : response.writeHead(found.status, { 'content-type': found.type }).end(found.bytes),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function readFor(sites: readonly Site[], url: string): Promise<Found | undefined> {
  const path = decodeURI(new URL(url, 'http://x').pathname);
  const site = sites.find(({ base }) => path.startsWith(base));
  if (site === undefined) return undefined;
  const inside = normalize(`/${path.slice(site.base.length)}`);
  const file = inside.endsWith('/') ? `${inside}index.html` : inside;
  try {
    const bytes = await readFile(join(site.folder, file));
    return { status: 200, type: TYPES[extname(file)] ?? 'text/plain; charset=utf-8', bytes };
  } catch {
    const bytes = await readFile(join(site.folder, '404.html'));
    return { status: 404, type: TYPES['.html']!, bytes };
  }
}
