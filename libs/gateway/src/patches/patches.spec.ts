import * as http from 'node:http';
import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { H2C_OFFER, rawHttp } from '../fixtures/raw-http.fixture.js';
import { takeUpgrades } from '../http/upgrades.js';

/** What a server's socket has beyond its types. */
type Inside = Socket & {
  readonly parser?: { readonly onIncoming?: unknown };
  readonly _httpMessage?: unknown;
};

const OFFER = `POST / HTTP/1.1\r\nHost: x\r\n${H2C_OFFER}Content-Length: 4\r\n\r\nbody`;

let server: Server;
beforeEach(() => {
  server = createServer();
});
afterEach(async () => {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
});

async function connected(bytes: string) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = await rawHttp((server.address() as AddressInfo).port);
  await client.send(bytes);
  return client;
}

describe('what the gateway relies on in Node', () => {
  it('Node exports _connectionListener, which takes a socket', () => {
    const { _connectionListener: listener } = http as { _connectionListener?: unknown };
    expect([typeof listener, (listener as () => void).length]).toEqual(['function', 1]);
  });

  it('a socket has parser.onIncoming, of a request and keep-alive, when it is connected', async () => {
    const accepted = once(server, 'connection') as Promise<[Inside]>;
    const client = await connected('');
    const [{ parser }] = await accepted;
    const { onIncoming } = parser as { onIncoming: () => void };
    expect([typeof onIncoming, onIncoming.length]).toEqual(['function', 2]);
    client.socket.destroy();
  });

  it('a socket has the response that is being sent as _httpMessage, and null after it', async () => {
    const seen: unknown[] = [];
    server.on('request', (req: IncomingMessage, res) => {
      const socket = req.socket as Inside;
      seen.push(socket._httpMessage === res);
      res.on('close', () => seen.push(socket._httpMessage));
      res.end('answered');
    });
    const client = await connected('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('answered');
    expect(seen).toEqual([true, null]);
    client.socket.destroy();
  });

  it('a server closes a connection by destroySoon of its socket, after its last response', async () => {
    const seen: string[] = [];
    server.on('request', ({ socket }: IncomingMessage, res) => {
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        seen.push('destroySoon');
        destroySoon();
      };
      res.on('finish', () => seen.push('finish'));
      res.setHeader('connection', 'close').end('answered');
    });
    const client = await connected('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.closed();
    expect(seen.toSorted()).toEqual(['destroySoon', 'finish']);
  });

  it('a server emits upgrade with request, socket and what follows the headers', async () => {
    const upgraded = once(server, 'upgrade') as Promise<
      [IncomingMessage & { upgrade?: boolean }, Inside, Buffer]
    >;
    const client = await connected(OFFER.replace('Content-Length: 4\r\n', ''));
    const [req, socket, head] = await upgraded;
    expect([req.upgrade, socket === req.socket, String(head)]).toEqual([true, true, 'body']);
    socket.destroy();
    client.socket.destroy();
  });
});

describe('a server whose upgrades were taken', () => {
  const countsOf = (it: Server) =>
    ['upgrade', 'connection', 'secureConnection', 'request'].map((name) => it.listenerCount(name));

  const emitOf = (it: Server): unknown => Reflect.get(it, 'emit');

  it('is as before when the last gateway has stopped', () => {
    const before = countsOf(server);
    const stops = [takeUpgrades(server, () => undefined), takeUpgrades(server, () => undefined)];
    expect(Object.hasOwn(server, 'emit')).toBe(true);
    stops[0]?.();
    expect(Object.hasOwn(server, 'emit')).toBe(true);
    stops[1]?.();
    expect([Object.hasOwn(server, 'emit'), countsOf(server)]).toEqual([false, before]);
  });

  it('gets back the emit that somebody had put there before', () => {
    const theirs = server.emit.bind(server);
    server.emit = theirs;
    takeUpgrades(server, () => undefined)();
    expect(emitOf(server)).toBe(theirs);
  });

  it('keeps the emit that somebody has put there later, which no longer takes anything', async () => {
    const stop = takeUpgrades(server, () => undefined);
    const ours = server.emit.bind(server);
    const theirs = ((...args: Parameters<typeof ours>) => ours(...args)) as typeof ours;
    server.emit = theirs;
    stop();
    expect(emitOf(server)).toBe(theirs);
    const upgraded = once(server, 'upgrade') as Promise<[IncomingMessage, Socket]>;
    const client = await connected(OFFER);
    const [req, socket] = await upgraded;
    expect(req.url).toBe('/');
    socket.destroy();
    client.socket.destroy();
  });
});
