import { type IncomingMessage, type Server, createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import { createSecureServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import { UPGRADE_OBSERVER } from '@apix/contracts/internal';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { until } from '../../../../tools/testing/until.js';
import { H2C_OFFER, POSTS, rawHttp, statusesIn } from '../fixtures/raw-http.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { talk } from '../fixtures/talk.fixture.js';
import { Gateway } from './gateway.js';
import { webSockets } from './websocket/web-sockets.js';

const rig = useRig();
const open: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  // An HTTP/2 server has no closeAllConnections.
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(open.splice(0).map((server) => new Promise((done) => server.close(done))));
});

interface Emitting {
  emit: (this: unknown, event: string | symbol, ...args: unknown[]) => boolean;
}

interface Site {
  readonly server: Server;
  readonly port: number;
  readonly gateway: Gateway;
  /** Paths of the requests that were served beside the gateway. */
  readonly plain: string[];
}

const tls = { cert: CERTIFICATE, key: KEY };

/** A gateway with WebSockets and, beside it, a handler that sends bodies back. */
async function site(
  create: (handler: (req: IncomingMessage, res: never) => void) => Server = (handler) =>
    createServer(handler as never),
  prepare: (server: Server) => void = () => {},
): Promise<Site> {
  const gateway = new Gateway(rig.registry, rig.upstream, {
    webSockets: webSockets({ admission: 1 }),
  });
  const plain: string[] = [];
  const server = create((req, res) => {
    gateway.handle(req, res, () => {
      plain.push(req.url ?? '');
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => (res as { end(body: Buffer): void }).end(Buffer.concat(chunks)));
    });
  });
  open.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  prepare(server);
  gateway.serveUpgrades(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, gateway, plain };
}

const SERVERS = [
  ['HTTP', undefined, false],
  ['HTTPS', (handler) => createTlsServer(tls, handler as never), true],
  [
    'HTTP/2 that allows HTTP/1',
    (handler) =>
      createSecureServer({ ...tls, allowHTTP1: true }, handler as never) as unknown as Server,
    true,
  ],
] satisfies [string, Parameters<typeof site>[0], boolean][];

const query = (name: string): string => `GET /v1/query?str=${name} HTTP/1.1\r\nHost: x\r\n\r\n`;
const namesIn = (text: string): string[] =>
  [...text.matchAll(/"str":"([^"]*)"/g)].map((it) => it[1]!);

describe.each(SERVERS)('a request that offers h2c over %s', (_name, create, secure) => {
  describe.each(['/v1/whole', '/beside'])('to %s', (path) => {
    it.each(POSTS)('a request that offers h2c keeps its body: %s', async (_how, packets) => {
      const { port, gateway } = await site(create);
      const client = await rawHttp(port, secure);
      const parts = packets(path, '{"str":"first"}');
      await client.send(...parts.slice(0, -1), `${parts.at(-1)}${query('pipelined')}`);
      await client.until('"pipelined"');
      await client.send(query('later'));
      const text = await client.until('"later"');
      expect(namesIn(text)).toEqual(['first', 'pipelined', 'later']);
      expect(statusesIn(text).filter((status) => status !== 100)).toEqual([200, 200, 200]);
      // The client may have read an answer before the server hears that it was sent.
      await until(() => gateway.counts.active === 0);
    });

    it('a request that offers h2c keeps a body of 1 MB', async () => {
      const { port } = await site(create);
      const client = await rawHttp(port, secure);
      const json = JSON.stringify({ str: 'x'.repeat(1_000_000) });
      await client.send(POSTS[0]![1](path, json)[0] ?? '', query('later'));
      const text = await client.until('"later"');
      expect(namesIn(text).map((it) => it.length)).toEqual([1_000_000, 5]);
    });
  });

  it('a request that offers h2c and has no body keeps what is pipelined behind it', async () => {
    const { port } = await site(create);
    const client = await rawHttp(port, secure);
    const first = `GET /v1/query?str=first HTTP/1.1\r\nHost: x\r\n${H2C_OFFER}\r\n`;
    await client.send(first + query('second'));
    expect(namesIn(await client.until('"second"'))).toEqual(['first', 'second']);
  });

  it('a request that offers h2c waits for the responses to requests in front of it', async () => {
    const { port, server } = await site(create);
    const late: (() => void)[] = [];
    server.prependListener('request', (req, res) => {
      if (req.url !== '/late') return;
      const end = res.end.bind(res);
      res.end = () => {
        late.push(() => end('"str":"late"'));
        return res;
      };
    });
    const client = await rawHttp(port, secure);
    const slow = 'GET /late HTTP/1.1\r\nHost: x\r\n\r\n';
    await client.send(
      slow + slow + (POSTS[0]![1]('/v1/whole', '{"str":"offer"}')[0] ?? '') + query('last'),
    );
    while (late.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of late) answer();
    expect(namesIn(await client.until('"last"'))).toEqual(['late', 'late', 'offer', 'last']);
  });
});

describe('a request for an upgrade that is not handled', () => {
  const chat = 'Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n';

  it.each([
    ['for a WebSocket elsewhere', '/beside', chat],
    ['for another protocol', '/beside', 'Connection: Upgrade\r\nUpgrade: odd/1\r\n'],
    ['for a WebSocket with a body', '/v1/query', chat],
  ])('a request %s is an ordinary one with its body', async (_what, path, headers) => {
    const { port, gateway, plain } = await site();
    const client = await rawHttp(port);
    await client.send(
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 13\r\n\r\n{"str":"body"}`.replace(
        '13',
        '14',
      ) + query('second'),
    );
    expect(namesIn(await client.until('"second"'))).toEqual(['body', 'second']);
    expect(plain).toEqual([path]);
    await until(() => gateway.counts.active === 0);
  });

  it('a request that nobody upgrades keeps its headers, without the offer', async () => {
    const { port, server } = await site();
    const client = await rawHttp(port);
    const seen = once(server, 'request') as Promise<[IncomingMessage]>;
    await client.send(
      `GET /v1/query HTTP/1.1\r\nhOst: x\r\nX-Twice: a\r\nX-Twice:  b \r\nX-Latin: \xe9\r\n` +
        'Connection: close, Upgrade\r\nConnection: HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\nX-Empty:\r\n\r\n',
    );
    const [req] = await seen;
    expect(req.rawHeaders.join('|')).toBe(
      'hOst|x|X-Twice|a|X-Twice|b|X-Latin|\xe9|Connection|close|Connection||X-Empty|',
    );
    expect(statusesIn(await client.closed())).toEqual([200]);
  });

  it('a request behind another one is not given the time that a connection may idle', async () => {
    const { port, server } = await site();
    const timeouts: (number | undefined)[] = [];
    let answer = (): void => {};
    server.prependListener('request', (req, res) => {
      timeouts.push(req.socket.timeout);
      const end = res.end.bind(res);
      if (req.url === '/late') {
        res.end = () => {
          answer = () => void end('late');
          return res;
        };
      }
    });
    const client = await rawHttp(port);
    const offer = POSTS[0]?.[1]('/v1/whole', '{"str":"offer"}')[0] ?? '';
    await client.send(`GET /late HTTP/1.1\r\nHost: x\r\n\r\n${offer}`);
    await until(() => timeouts.length === 1);
    answer();
    await client.until('"offer"');
    expect(timeouts.map((timeout) => timeout ?? 0)).toEqual([0, 0]);
  });

  it('a request whose body never comes times out as others do', async () => {
    const { port, server } = await site(undefined, (it) => {
      it.requestTimeout = 100;
      it.headersTimeout = 100;
      Object.assign(it, { connectionsCheckingInterval: 50 });
    });
    const timedOut = once(server, 'clientError') as Promise<[Error & { code: string }, Socket]>;
    const client = await rawHttp(port);
    await client.send(POSTS[1]![1]('/v1/whole', '{"str":"never"}')[0] ?? '');
    const [error, socket] = await timedOut;
    expect(error.code).toBe('ERR_HTTP_REQUEST_TIMEOUT');
    socket.destroy();
  });
});

describe('a request behind an offer of an upgrade', () => {
  const READ = /request body, \$/;
  const REFUSED = /^HTTP\/1\.1 [\w ]+\r\nConnection: close\r\n\r\n$/;
  const JSON_TYPE = 'Content-Type: application/json\r\n';
  const SMUGGLED = query('smuggled');
  const offer = (...headers: string[]): string =>
    `POST /v1/whole HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}${H2C_OFFER}${headers.map((it) => `${it}\r\n`).join('')}`;
  const length = `Content-Length: ${SMUGGLED.length}`;
  const many = Array.from({ length: 1_100 }, (_, index) => `a${index}:`);

  it.each([
    ['its body', offer(length), 400, READ],
    ['the body of a chunk', offer('Transfer-Encoding: chunked'), 400, READ],
    ['two lengths', offer('Content-Length: 0', length), 400, REFUSED],
    ['a length and chunks', offer('Transfer-Encoding: chunked', length), 400, REFUSED],
    ['chunks that are not last', offer('Transfer-Encoding: chunked, identity'), 400, REFUSED],
    ['a folded length', offer('Content-Length:\r\n 0', length), 400, REFUSED],
    ['a bare CR', offer(`X: a\rContent-Length: 0`, length), 400, REFUSED],
    ['a bare LF', offer(`X: a\nContent-Length: 0`, length), 400, REFUSED],
    ['a length with a space before its colon', offer(`Content-Length : 0`, length), 400, REFUSED],
    ['a length behind more headers than Node collects', offer(...many, length), 431, REFUSED],
  ])('a second request is not made of the first one: %s', async (what, head, status, answer) => {
    const { port } = await site();
    const client = await rawHttp(port);
    const body =
      what === 'the body of a chunk'
        ? `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`
        : SMUGGLED;
    const before = rig.echo.calls.length;
    await client.send(`${head}\r\n${body}`);
    // A client that ends before gets no answer, of the server's parser as little as of the gateway.
    await client.until('\r\n\r\n');
    client.socket.end();
    const text = await client.closed();
    expect(statusesIn(text)).toEqual([status]);
    expect(text).toMatch(answer);
    expect(rig.echo.calls.length).toBe(before);
  });

  it('a second request is not made of the first one where the server collects few headers', async () => {
    const { port } = await site(undefined, (server) => (server.maxHeadersCount = 8));
    const client = await rawHttp(port);
    const before = rig.echo.calls.length;
    await client.send(`${offer(...many.slice(0, 40), length)}\r\n${SMUGGLED}`);
    expect(statusesIn(await client.closed())).toEqual([431]);
    expect(rig.echo.calls.length).toBe(before);
  });
});

describe('next to other listeners for upgrades', () => {
  const odd = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n';

  it.each(['before', 'after'])(
    'a listener of ws that came %s and the gateway serve their own WebSockets',
    async (when) => {
      let live: WebSocketServer | undefined;
      const add = (server: Server): void => {
        live = new WebSocketServer({ server, path: '/live' });
        live.on('connection', (ws) => ws.send('hello'));
      };
      const { server, port, gateway } = await site(undefined, when === 'before' ? add : undefined);
      if (live === undefined) add(server);
      const theirs = new WebSocket(`ws://127.0.0.1:${port}/live`);
      expect(String((await once(theirs, 'message'))[0])).toBe('hello');
      theirs.terminate();
      const ours = await talk(port, '/v1/chat');
      ours.ws.send('{"number":1}');
      await ours.received(1);
      ours.ws.send('');
      expect(await ours.closed).toEqual([1000, 'OK']);
      const client = await rawHttp(port);
      await client.send((POSTS[0]![1]('/beside', '{"str":"body"}')[0] ?? '') + query('second'));
      expect(namesIn(await client.until('"second"'))).toEqual(['body', 'second']);
      expect(gateway.counts.active).toBe(0);
    },
  );

  it('another listener gets what offers its protocol', async () => {
    const { port } = await site(undefined, (server) => {
      server.on('upgrade', (_req, socket: Duplex) => socket.end('HTTP/1.1 101 Odd\r\n\r\n'));
    });
    const client = await rawHttp(port);
    await client.send(odd);
    expect(statusesIn(await client.closed())).toEqual([101]);
  });

  it('an observer is called for WebSockets, and not for ordinary requests', async () => {
    const seen: string[] = [];
    const { port } = await site(undefined, (server) => {
      const lookOn = (req: IncomingMessage): void => void seen.push(req.url ?? '');
      Object.defineProperty(lookOn, UPGRADE_OBSERVER, { value: true });
      server.on('upgrade', lookOn);
    });
    const client = await rawHttp(port);
    await client.send(odd.replace('odd', 'h2c') + query('second'));
    await client.until('"second"');
    const { ws, closed } = await talk(port, '/v1/chat');
    ws.send('');
    await closed;
    expect(seen).toEqual(['/v1/chat']);
  });

  it('CONNECT is left to its listeners', async () => {
    const { port } = await site(undefined, (server) => {
      server.on('connect', (req: IncomingMessage, socket: Duplex) =>
        socket.end(`HTTP/1.1 200 ${req.url}\r\n\r\n`),
      );
    });
    const client = await rawHttp(port);
    await client.send(`CONNECT a.example:443 HTTP/1.1\r\nHost: x\r\n${H2C_OFFER}\r\n`);
    expect(await client.closed()).toBe('HTTP/1.1 200 a.example:443\r\n\r\n');
  });

  it.each<[string, (server: Emitting, emit: Emitting['emit']) => Emitting['emit']]>([
    ['hands on what it is called on', (_server, emit) => emit],
    ['is bound to the server', (server, emit) => emit.bind(server)],
  ])('a replaced emit that %s sees one event for a request', async (_how, inner) => {
    const events: string[] = [];
    const { port, server } = await site(undefined, (it) => {
      const emitting = it as unknown as Emitting;
      const emit = inner(emitting, emitting.emit);
      emitting.emit = function (event, ...args) {
        const [req] = args as [IncomingMessage];
        if (event === 'request' || event === 'upgrade') events.push(`${event} ${req.url}`);
        return emit.call(this, event, ...args);
      };
    });
    const client = await rawHttp(port);
    await client.send((POSTS[0]?.[1]('/beside', '{"str":"body"}')[0] ?? '') + query('second'));
    await client.until('"second"');
    const { ws, closed } = await talk(port, '/v1/chat');
    ws.send('');
    await closed;
    server.on('upgrade', (_req, socket: Duplex) => socket.end('HTTP/1.1 101 Odd\r\n\r\n'));
    await client.send(odd);
    await client.closed();
    expect(events.join(', ')).toBe(
      'request /beside, request /v1/query?str=second, upgrade /v1/chat, upgrade /',
    );
  });

  it('a second gateway of the server serves its own WebSockets, also once the other has stopped', async () => {
    const { server, port, gateway } = await site();
    const second = new Gateway(rig.registry, rig.upstream, {
      mount: '/second',
      webSockets: webSockets({ admission: 1 }),
    });
    const stop = second.serveUpgrades(server);
    for (const path of ['/v1/chat', '/second/v1/chat']) {
      const { ws, closed } = await talk(port, path);
      ws.send('');
      expect(await closed).toEqual([1000, 'OK']);
    }
    const both = [gateway, second];
    await until(() => both.every(({ counts }) => counts.served.get(101) === 1));
    stop();
    const client = await rawHttp(port);
    await client.send((POSTS[0]?.[1]('/v1/whole', '{"str":"body"}')[0] ?? '') + query('second'));
    expect(namesIn(await client.until('"second"'))).toEqual(['body', 'second']);
    const { ws, closed } = await talk(port, '/v1/chat');
    ws.send('');
    expect(await closed).toEqual([1000, 'OK']);
  });

  it('a gateway that has stopped leaves everything to Node', async () => {
    const server = createServer((_req, res) => res.end('ordinary'));
    open.push(server);
    const gateway = new Gateway(rig.registry, rig.upstream, { webSockets: webSockets() });
    gateway.serveUpgrades(server)();
    expect(server.listenerCount('upgrade')).toBe(0);
    expect(server.listenerCount('connection')).toBe(createServer().listenerCount('connection'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = await rawHttp((server.address() as AddressInfo).port);
    await client.send(odd);
    await client.until('ordinary');
  });
});
