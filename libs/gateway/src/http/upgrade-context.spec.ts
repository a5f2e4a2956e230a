import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { rawHttp } from '../fixtures/raw-http.fixture.js';
import { takeUpgrades } from './upgrades.js';

interface Emitting {
  emit: (this: unknown, event: string, ...args: unknown[]) => boolean;
}

const WEB_SOCKET =
  'GET /chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

it('a connection is taken over in the context of what has replaced emit, as tracers do', async () => {
  const span = new AsyncLocalStorage<string>();
  const server = createServer();
  const emitting = server as unknown as Emitting;
  const { emit } = emitting;
  emitting.emit = function (event, ...args) {
    return span.run(event, () => emit.call(this, event, ...args));
  };
  const seen: (string | undefined)[] = [];
  takeUpgrades(server, () => (socket) => {
    seen.push(span.getStore());
    socket.end('HTTP/1.1 101 Taken\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = await rawHttp((server.address() as AddressInfo).port);
  await client.send(WEB_SOCKET);
  await client.closed();
  await new Promise((resolve) => server.close(resolve));
  expect(seen).toEqual(['upgrade']);
});
