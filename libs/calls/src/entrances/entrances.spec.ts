import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, type Server, createServer, request } from 'node:http';
import {
  type Http2Server,
  connect as connectHttp2,
  createServer as createHttp2Server,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Entrances, type RequestEntrance, enterServer } from './entrances.js';

const storage = new AsyncLocalStorage<string>();
const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** An entrance that adds its name to the context. */
function naming(place: RequestEntrance['place'], name: string = place): RequestEntrance {
  const enter = (run: () => void): void =>
    storage.run([storage.getStore(), name].filter(Boolean).join(' '), run);
  return {
    place,
    request: (_req, _res, run) => enter(run),
    upgrade: (_req, _socket, run) => enter(run),
  };
}

async function listen(server: Server | Http2Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

describe('the entrances of a server', () => {
  it('are passed in the order of their places, however they arrive', async () => {
    const server = createServer((_req, res) => res.end(storage.getStore()));
    for (const place of ['call', 'log', 'trace'] as const) enterServer(server, naming(place));
    enterServer(server, naming('log', 'second'));
    const port = await listen(server);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('trace log second call');
  });

  it('are passed once by a request that comes by two ways', () => {
    const entrances = Entrances.of({});
    let passed = 0;
    entrances.add({ place: 'log', request: (_req, _res, run) => (passed++, run()) });
    const req = {} as IncomingMessage;
    let handled = 0;
    const again = (): void => entrances.request(req, {} as never, () => handled++);
    entrances.request(req, {} as never, again);
    expect([passed, handled]).toEqual([1, 1]);
  });

  it('are passed by upgrades, but for one that knows none', async () => {
    const server = createServer();
    server.on('upgrade', (_req, socket) => {
      socket.end(`HTTP/1.1 418 ${storage.getStore()}\r\n\r\n`);
    });
    enterServer(server, naming('log'));
    enterServer(server, naming('trace'));
    enterServer(server, { place: 'call', request: (_req, _res, run) => run() });
    const port = await listen(server);
    const headers = { connection: 'upgrade', upgrade: 'x' };
    const [answer] = (await once(request({ port, headers }).end(), 'response')) as [
      IncomingMessage,
    ];
    expect(answer.statusMessage).toBe('trace log');
  });

  it('take CONNECT of HTTP/2 for a request', async () => {
    // Without a listener for requests, Node makes none of the streams.
    const server = createHttp2Server(() => {});
    server.on('connect', (_req, res) => void res.end(storage.getStore()));
    enterServer(server, naming('log'));
    const port = await listen(server);
    const client = connectHttp2(`http://127.0.0.1:${port}`);
    open.unshift(client);
    const stream = client.request({ ':method': 'CONNECT', ':authority': 'example.com:443' });
    stream.setEncoding('utf8');
    const [text] = (await once(stream, 'data')) as [string];
    expect(text).toBe('log');
  });

  it('give the server back with the last one', () => {
    const server = createServer();
    const undo = [enterServer(server, naming('log')), enterServer(server, naming('trace'))];
    undo[0]!();
    undo[0]!();
    expect(Object.hasOwn(server, 'emit')).toBe(true);
    undo[1]!();
    expect(Object.hasOwn(server, 'emit')).toBe(false);
  });

  it('leave alone what somebody has wrapped around them', () => {
    const server = new EventEmitter();
    const closed = { place: 'log', request: () => expect('the door').toBe('closed') } as const;
    const undo = enterServer(server, closed);
    const watched = server.emit.bind(server);
    const outer = (event: string | symbol, ...args: unknown[]): boolean => watched(event, ...args);
    server.emit = outer;
    undo();
    expect(Reflect.get(server, 'emit')).toBe(outer);
    let heard = 0;
    server.on('request', () => heard++);
    server.emit('request', {}, {});
    expect(heard).toBe(1);
  });
});
