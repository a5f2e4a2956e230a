// Stands in for Elasticsearch: takes bulk requests, and counts each event once by its number `N`.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerOrder, ServerState } from './messages.js';

let port = 0;
let unique = 0;
let again = 0;
let seen = new Uint8Array(8_000_000);

const server = http.createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const items: object[] = [];
    for (const [, number] of Buffer.concat(parts)
      .toString('latin1')
      .matchAll(/"N":(\d+)/g)) {
      const n = Number(number);
      if (seen[n] === 1) again++;
      else unique++;
      seen[n] = 1;
      items.push({ index: { _index: 'logs', _id: String(n), result: 'created', status: 201 } });
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ errors: false, took: 1, items }));
  });
});

const listen = async (): Promise<void> => {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
};

const obey: Readonly<Record<ServerOrder, () => Promise<void> | void>> = {
  up: listen,
  down: () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  reset() {
    unique = 0;
    again = 0;
    seen = new Uint8Array(seen.length);
  },
  state() {},
};

process.on('message', async (order: ServerOrder) => {
  await obey[order]();
  const state: ServerState = { port, unique, again };
  process.send?.(state);
});
