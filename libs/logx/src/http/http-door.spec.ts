import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  connect as connectHttp2,
  constants,
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { markInfrastructureRequest } from '@apix/contracts';
import { givenRequestId, noteRequestError } from '@apix/contracts/internal';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fromContext } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { collectingSink } from '../testing/collecting-sink.js';
import type { LoggedEvent } from '../testing/logged-events.js';
import { HttpDoor } from './http-door.js';
import { httpMiddleware } from './http-middleware.js';
import type { HttpLogOptions } from './http-options.js';
import { head, RawClient } from './raw-client.fixture.js';
import { enterServer } from '@apix/calls/internal';

const REQUEST = '{Method} {Path} -> {Status}';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const open: { close(): unknown }[] = [];

afterEach(() => {
  for (const thing of open.splice(0)) thing.close();
});

async function listen(server: Server | Http2Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

async function serve(handler: Handler, options: HttpLogOptions = {}) {
  const logged = collectingSink();
  const server = createServer(handler);
  enterServer(server, new HttpDoor(createLogger({ sinks: [logged] }), options));
  const port = await listen(server);
  const client = await RawClient.to(port);
  open.push({ close: () => client.socket.destroy() });
  const event = async (): Promise<LoggedEvent> => (await loggedUntil(logged, REQUEST)).only();
  return { logged, server, port, client, event, url: `http://127.0.0.1:${port}` };
}

const ok: Handler = (_req, res) => {
  res.end('hello');
};

describe('the event of a request', () => {
  it.each([
    [
      500,
      { level: 'error', error: 'cannot be decoded', stack: expect.stringContaining('RangeError') },
    ],
    [200, { level: 'info', Status: 200 }],
  ])('has the failure that was noted on it if its status is %i', async (status, expected) => {
    const { url, event } = await serve((req, res) => {
      noteRequestError(req, new RangeError('cannot be decoded'));
      noteRequestError(req, new Error('a later one'));
      res.writeHead(status).end();
    });
    await fetch(url);
    const { error, ...fields } = await event();
    expect({ error, ...fields }).toMatchObject(expected);
    expect(error === undefined).toBe(status === 200);
  });

  it('has the fields and the template of the specification', async () => {
    const { url, event } = await serve(ok);
    await fetch(`${url}/orders/1?token=secret`, { headers: { 'user-agent': 'test/1' } });
    const { time, ...fields } = await event();
    expect(time).toMatch(/^\d{4}-/);
    expect(fields).toEqual({
      level: 'info',
      '@mt': REQUEST,
      message: 'GET /orders/1 -> 200',
      Method: 'GET',
      Path: '/orders/1',
      Status: 200,
      status: 200,
      bytes: 5,
      remote: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      duration_ms: expect.any(Number),
      user_agent: 'test/1',
      RequestId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it.each([
    [200, 'info'],
    [302, 'info'],
    [400, 'warn'],
    [404, 'warn'],
    [499, 'warn'],
    [500, 'error'],
    [503, 'error'],
  ])('of status %i is at level %s', async (status, level) => {
    const { url, event } = await serve((_req, res) => {
      res.statusCode = status;
      res.end();
    });
    await fetch(url, { redirect: 'manual' });
    expect(await event()).toMatchObject({ level, status, Status: status });
  });

  it('takes as long as the response', async () => {
    const { url, event } = await serve((_req, res) => {
      res.write('a');
      setTimeout(() => res.end('b'), 30);
    });
    await (await fetch(url)).text();
    expect((await event())['duration_ms']).toBeGreaterThanOrEqual(29);
  });

  it('carries the ids of a traceparent, as all events of the request', async () => {
    const { url, logged, event } = await serve((_req, res) => {
      fromContext().information('inside');
      res.end();
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await fetch(url, { headers: { traceparent } });
    const ids = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };
    expect(await event()).toMatchObject(ids);
    expect(logged.withTemplate('inside').only()).toMatchObject(ids);
  });

  it.each<[string, HttpLogOptions, object]>([
    ['the request', { requestHeaders: ['x-tenant'] }, { request_headers: { 'x-tenant': 'acme' } }],
    ['the response', { responseHeaders: ['x-made'] }, { response_headers: { 'x-made': 'here' } }],
  ])('has chosen headers of %s alone', async (_what, options, headers) => {
    const { url, event } = await serve((_req, res) => {
      res.setHeader('x-made', 'here');
      res.end();
    }, options);
    await fetch(url, { headers: { 'x-tenant': 'acme' } });
    const { request_headers, response_headers } = await event();
    expect({ request_headers, response_headers }).toEqual(headers);
  });

  it('is written once, also with the middleware behind the door', async () => {
    const second = collectingSink();
    const middleware = httpMiddleware(createLogger({ sinks: [second] }));
    const { url, event } = await serve((req, res) => middleware(req, res, () => res.end('x')));
    await fetch(url);
    expect(await event()).toMatchObject({ bytes: 1 });
    expect(second.count).toBe(0);
  });
});

describe('a request id', () => {
  it('comes from the header, and goes into the context and back to the caller', async () => {
    const { url, logged, event } = await serve((_req, res) => {
      fromContext().information('inside');
      res.end();
    });
    const response = await fetch(url, { headers: { 'x-request-id': 'abc-1' } });
    expect(response.headers.get('x-request-id')).toBe('abc-1');
    expect(await event()).toMatchObject({ RequestId: 'abc-1' });
    expect(logged.withTemplate('inside').only()).toMatchObject({ RequestId: 'abc-1' });
  });

  it.each([
    ['too long', `X-Request-Id: ${'x'.repeat(129)}`],
    ['with a blank', 'X-Request-Id: a b'],
    ['with other letters', 'X-Request-Id: \u00fcber'],
    ['with a tab', 'X-Request-Id: a\tb'],
    ['twice', 'X-Request-Id: a\r\nX-Request-Id: b'],
  ])('%s is replaced', async (_what, header) => {
    const { client, event } = await serve(ok);
    client.send(head('GET', '/', header, 'Connection: close'));
    const { RequestId } = await event();
    expect(RequestId).toMatch(/^[0-9a-f]{32}$/);
    expect(await client.closed()).toContain(`X-Request-Id: ${String(RequestId)}\r\n`);
  });

  it.each([
    ['none', ''],
    ['an unsound one', 'X-Request-Id: a b'],
  ])('goes on in the headers of a request that brought %s', async (_what, header) => {
    const { client, event } = await serve((req, res) => void res.end(req.headers['x-request-id']));
    client.send(head('GET', '/', ...(header === '' ? [] : [header]), 'Connection: close'));
    const { RequestId } = await event();
    expect(await client.closed()).toMatch(new RegExp(`\r\n\r\n.*${String(RequestId)}`, 's'));
  });

  it('has the header, the field and the generator of the options', async () => {
    const options = { header: 'X-Trace', field: 'Trace', idGenerator: () => 'made-1' };
    const given: unknown[] = [];
    const { url, logged } = await serve((req, res) => {
      given.push(givenRequestId(req));
      res.end();
    }, options);
    const answers = [await fetch(url), await fetch(url, { headers: { 'x-trace': 'sent-1' } })];
    expect(answers.map(({ headers }) => headers.get('x-trace'))).toEqual(['made-1', 'sent-1']);
    const events = [...(await loggedUntil(logged, REQUEST, 2))];
    expect(events.map(({ Trace }) => Trace)).toEqual(['made-1', 'sent-1']);
    expect(given).toEqual(['made-1', 'sent-1']);
  });
});

describe('options', () => {
  it('startLog logs the start of a request too', async () => {
    const { url, logged, event } = await serve(ok, { startLog: true });
    await fetch(`${url}/a`);
    const { RequestId } = await event();
    expect(logged.messages).toEqual(['--> GET /a', 'GET /a -> 200']);
    expect(logged.first()).toMatchObject({ level: 'info', RequestId });
  });

  it('skip leaves out the events of a request, not its id and context', async () => {
    const { url, logged } = await serve(
      (_req, res) => {
        fromContext().information('inside');
        res.end();
      },
      { startLog: true, skip: (req) => req.url === '/quiet' },
    );
    const { headers } = await fetch(`${url}/quiet`);
    await fetch(`${url}/loud`);
    await loggedUntil(logged, REQUEST);
    expect(logged.messages).toEqual(['inside', '--> GET /loud', 'inside', 'GET /loud -> 200']);
    expect(logged.first()).toMatchObject({ RequestId: headers.get('x-request-id') });
  });

  it('a skip that throws skips nothing', async () => {
    const { url, event } = await serve(ok, {
      skip: () => {
        throw new Error('no');
      },
    });
    expect((await fetch(url)).status).toBe(200);
    expect(await event()).toMatchObject({ status: 200 });
  });

  it('skipProbes leaves out the paths that it lists', async () => {
    const { url, logged } = await serve(ok, { skipProbes: ['/ping'] });
    for (const path of ['/ping', '/ping?x=1', '/pings']) await fetch(url + path);
    expect((await loggedUntil(logged, REQUEST)).only()).toMatchObject({ Path: '/pings' });
  });

  it.each<[boolean | string[], string[]]>([
    [true, ['/orders']],
    [['/other'], ['/orders']],
    [false, ['/metrics', '/orders']],
  ])('skipProbes: %j leaves events of %j when the first is marked', async (skipProbes, paths) => {
    const marksMetrics: Handler = (req, res) => {
      if (req.url === '/metrics') markInfrastructureRequest(req);
      res.end();
    };
    const { url, logged } = await serve(marksMetrics, { skipProbes });
    for (const path of ['/metrics', '/orders']) await fetch(url + path);
    const events = await loggedUntil(logged, REQUEST, paths.length);
    expect([...events].map(({ Path }) => Path)).toEqual(paths);
  });
});

describe('bytes and status', () => {
  const big = 'x'.repeat(100_000);
  const cases: [string, string, Handler, { status: number; bytes: number }][] = [
    ['an empty body', 'GET', (_q, res) => res.end(), { status: 200, bytes: 0 }],
    ['a text in UTF-8', 'GET', (_q, res) => res.end('grün'), { status: 200, bytes: 5 }],
    [
      'a text in another encoding',
      'GET',
      (_q, res) => res.end('AAAA', 'base64'),
      { status: 200, bytes: 3 },
    ],
    [
      'several writes',
      'GET',
      (_q, res) => {
        res.write('ab');
        res.write(Buffer.from('cd'));
        res.end('e');
      },
      { status: 200, bytes: 5 },
    ],
    [
      'a streamed body',
      'GET',
      (_q, res) => void Readable.from([big, big]).pipe(res),
      { status: 200, bytes: 200_000 },
    ],
    ['HEAD', 'HEAD', (_q, res) => res.end('hello'), { status: 200, bytes: 0 }],
    [
      'no content',
      'GET',
      (_q, res) => {
        res.writeHead(204);
        res.end('ignored');
      },
      { status: 204, bytes: 0 },
    ],
    [
      'no content, of which the handler writes some',
      'GET',
      (_q, res) => {
        res.writeHead(204);
        res.end('ignored');
      },
      { status: 204, bytes: 0 },
    ],
    [
      'not modified',
      'GET',
      (_q, res) => {
        res.writeHead(304);
        res.end('ignored');
      },
      { status: 304, bytes: 0 },
    ],
    [
      'early hints and processing before it',
      'GET',
      (_q, res) => {
        res.writeEarlyHints({ link: '</a.css>; rel=preload' });
        res.writeProcessing();
        res.writeHead(201);
        res.end('made');
      },
      { status: 201, bytes: 4 },
    ],
  ];

  it.each(cases)('of %s are what was sent', async (_what, method, handler, expected) => {
    const { client, event } = await serve(handler);
    client.send(head(method, '/', 'Connection: close'));
    expect(await event()).toMatchObject(expected);
  });

  it('of a compressed body are those after compression', async () => {
    let sent = 0;
    const { client, event } = await serve((_req, res) => {
      const gzip = createGzip();
      gzip.on('data', (chunk: Buffer) => (sent += chunk.length));
      res.setHeader('content-encoding', 'gzip');
      pipeline(Readable.from([big]), gzip, res, () => {});
    });
    client.send(head('GET', '/', 'Connection: close'));
    const { bytes } = await event();
    expect(bytes).toBe(sent);
    expect(bytes).toBeLessThan(1000);
  });

  it('of an answer to Expect: 100-continue are those of the final answer', async () => {
    const { client, event } = await serve((req, res) => {
      req.resume().on('end', () => res.end('thanks'));
    });
    client.send(
      head('POST', '/', 'Expect: 100-continue', 'Content-Length: 2', 'Connection: close'),
    );
    await client.until('100 Continue');
    client.send('hi');
    expect(await event()).toMatchObject({ status: 200, bytes: 6 });
  });

  it('of pipelined requests are told apart', async () => {
    const { client, logged } = await serve((req, res) => {
      // The first is answered last.
      setTimeout(() => res.end(req.url), req.url === '/first' ? 40 : 0);
    });
    client.send(head('GET', '/first') + head('GET', '/second!') + head('GET', '/3rd'));
    const events = [...(await loggedUntil(logged, REQUEST, 3))];
    expect(events.map(({ Path, bytes }) => [Path, bytes])).toEqual([
      ['/first', 6],
      ['/second!', 8],
      ['/3rd', 4],
    ]);
    expect(new Set(events.map(({ RequestId }) => RequestId)).size).toBe(3);
  });

  it('of HTTP/2 count each byte once', async () => {
    const logged = collectingSink();
    const server = createHttp2Server((_req, res) => {
      res.write('ab');
      res.end('cde');
    });
    enterServer(server, new HttpDoor(createLogger({ sinks: [logged] })));
    const session = connectHttp2(`http://127.0.0.1:${await listen(server)}`);
    session.request({ ':path': '/h2' }).resume().end();
    const event = (await loggedUntil(logged, REQUEST)).only();
    session.close();
    expect(event).toMatchObject({ Path: '/h2', status: 200, bytes: 5 });
  });

  it('of HTTP/2 are logged when the answer is complete, even if the request is not', async () => {
    const logged = collectingSink();
    const server = createHttp2Server((req, res) => void req.once('data', () => res.end('no')));
    enterServer(server, new HttpDoor(createLogger({ sinks: [logged] })));
    const session = connectHttp2(`http://127.0.0.1:${await listen(server)}`);
    const stream = session.request({ ':path': '/h2', ':method': 'POST' }).resume();
    stream.write('some');
    const event = (await loggedUntil(logged, REQUEST)).only();
    const { closed } = stream;
    session.destroy();
    expect([closed, event]).toEqual([false, expect.objectContaining({ status: 200, bytes: 2 })]);
    expect(event).not.toHaveProperty('ended');
  });
});

describe('a request that is cut off', () => {
  const never: Handler = () => {};
  const half: Handler = (_req, res) => void res.write('half');
  async function* failing(): AsyncGenerator<string> {
    yield 'half';
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error('out of paper');
  }
  const halfFailed: Handler = (_req, res) => void res.writeHead(503).write('half');
  const answersAhead: Handler = (req, res) => {
    if (req.url === '/second') res.end('ahead of its turn');
  };

  it.each<[string, string, Handler, object]>([
    ['hanging up', 'before an answer', never, { level: 'warn', status: 499 }],
    ['hanging up', 'within an answer', half, { level: 'info', status: 200 }],
    ['a reset', 'before an answer', never, { level: 'warn', status: 499 }],
    ['a reset', 'within an answer', half, { level: 'info', status: 200 }],
    ['hanging up', 'within a failed answer', halfFailed, { level: 'error', status: 503 }],
  ])('by its caller %s %s says so beside what was sent', async (how, when, handler, expected) => {
    const { client, event, server } = await serve(handler);
    client.send(head('GET', '/'));
    await (when === 'before an answer' ? once(server, 'request') : client.until('half'));
    if (how === 'hanging up') client.socket.end();
    else client.socket.resetAndDestroy();
    expect(await event()).toMatchObject({ ...expected, ended: 'caller' });
  });

  it.each<[string, (res: Http2ServerResponse) => void, object]>([
    ['its caller, within an answer', (res) => res.write('half'), { status: 200, ended: 'caller' }],
    ['its caller, before an answer', () => {}, { status: 499, ended: 'caller' }],
    [
      'the server',
      (res) => res.write('half', () => void res.stream.destroy()),
      { status: 200, ended: 'server', level: 'error' },
    ],
    [
      'the server with an error',
      (res) => res.write('half', () => void res.stream.destroy(new Error('out of paper'))),
      { status: 200, ended: 'server', level: 'error', error: 'out of paper', stack: /at / },
    ],
    [
      'a stream that fails',
      (res) => void pipeline(Readable.from(failing()), res, () => {}),
      { status: 200, ended: 'server', level: 'error', error: 'out of paper', stack: /at / },
    ],
  ])('over HTTP/2 by %s says so', async (who, handler, expected: { stack?: RegExp }) => {
    const logged = collectingSink();
    const server = createHttp2Server((_req, res) => handler(res));
    enterServer(server, new HttpDoor(createLogger({ sinks: [logged] })));
    const session = connectHttp2(`http://127.0.0.1:${await listen(server)}`);
    const stream = session.request({ ':path': '/h2' });
    stream.on('error', () => {}).resume();
    await (who === 'its caller, before an answer' ? once(server, 'request') : once(stream, 'data'));
    stream.close(constants.NGHTTP2_CANCEL);
    const event = (await loggedUntil(logged, REQUEST)).only();
    session.close();
    const { stack = /^$/, ...others } = expected;
    expect(event).toMatchObject(others);
    expect(event['stack'] ?? '').toMatch(stack);
  });

  it('whole, does not say that anybody ended it', async () => {
    const { url, event } = await serve(ok);
    await (await fetch(url)).text();
    expect(await event()).not.toHaveProperty('ended');
  });

  it('while it still sends has status 499', async () => {
    const { client, event } = await serve((req) => void req.resume());
    client.send(head('POST', '/', 'Content-Length: 100'), 'some');
    client.socket.end();
    expect(await event()).toMatchObject({ status: 499 });
  });

  it('shares one listener with those behind it on its connection', async () => {
    const { client, logged, server } = await serve(ok);
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const second = await RawClient.to((server.address() as AddressInfo).port);
    const [socket] = await connected;
    const before = socket.listenerCount('close');
    second.send(head('GET', '/').repeat(50));
    await loggedUntil(logged, REQUEST, 50);
    expect(socket.listenerCount('close')).toBeLessThanOrEqual(before + 2);
    second.socket.destroy();
    client.socket.destroy();
  });

  it.each<[string, Handler]>([
    ['is logged too', never],
    ['has 499 as nothing of its answer was sent', answersAhead],
  ])('while it waits behind others on its connection %s', async (_what, handler) => {
    const { client, logged } = await serve(handler);
    client.send(head('GET', '/first') + head('GET', '/second'));
    client.socket.end();
    const events = [...(await loggedUntil(logged, REQUEST, 2))];
    expect(events.map(({ message }) => message).toSorted()).toEqual([
      'GET /first -> 499',
      'GET /second -> 499',
    ]);
  });

  it.each<[string, Handler, number]>([
    ['before an answer', (_req, res) => void res.destroy(), 500],
    ['before an answer, with an error', (_req, res) => void res.destroy(new Error('x')), 500],
    [
      'within an answer',
      (_req, res) => {
        res.write('half', () => res.destroy());
      },
      200,
    ],
  ])('by the server %s does not have 499', async (_when, handler, status) => {
    const { client, event } = await serve(handler);
    client.send(head('GET', '/'));
    expect(await event()).toMatchObject({ level: 'error', status, ended: 'server' });
  });
});

describe('a connection that is upgraded', () => {
  const upgrade = head('GET', '/live', 'Upgrade: echo', 'Connection: Upgrade', 'X-Request-Id: u-1');

  async function upgrading(answer: (socket: Socket) => void) {
    const served = await serve(ok);
    served.server.on('upgrade', (_req, socket) => {
      fromContext().information('inside');
      answer(socket as Socket);
    });
    served.client.send(upgrade);
    return served;
  }

  it('is logged at its end, with the bytes after the handshake', async () => {
    const { client, logged, event } = await upgrading((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\n');
      socket.on('data', (chunk) => socket.end(chunk));
    });
    await client.until('\r\n\r\n');
    expect(logged.withTemplate(REQUEST).count).toBe(0);
    client.send('twelve bytes');
    await client.closed();
    expect(await event()).toMatchObject({
      level: 'info',
      Path: '/live',
      status: 101,
      bytes: 12,
      RequestId: 'u-1',
    });
    expect(logged.withTemplate('inside').only()).toMatchObject({ RequestId: 'u-1' });
  });

  it.each<[string, (socket: Socket) => void, object]>([
    ['hanging up', (socket) => socket.end(), { level: 'info', status: 101, ended: 'caller' }],
    [
      'a reset',
      (socket) => socket.resetAndDestroy(),
      { level: 'info', status: 101, ended: 'caller' },
    ],
  ])('and left by its caller %s, says so', async (_how, leave, expected) => {
    const { client, event } = await upgrading((socket) => {
      socket.on('error', () => {});
      socket.on('end', () => socket.end()).resume();
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\n');
    });
    await client.until('\r\n\r\n');
    leave(client.socket);
    expect(await event()).toMatchObject(expected);
  });

  it('and ended by the server, does not say that its caller left', async () => {
    const { client, event } = await upgrading((socket) => {
      socket.resume().end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\nbye');
    });
    await client.closed();
    const logged = await event();
    expect(logged).toMatchObject({ level: 'info', status: 101, bytes: 3 });
    expect(logged).not.toHaveProperty('ended');
  });

  it('or refused, has the status that was written', async () => {
    const { event } = await upgrading((socket) => {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\nno');
    });
    expect(await event()).toMatchObject({ level: 'warn', status: 401, bytes: 2 });
  });

  it('is an ordinary request where nobody upgrades', async () => {
    const { client, event } = await serve(ok);
    client.send(upgrade);
    await client.until('hello');
    expect(await event()).toMatchObject({ status: 200, bytes: 5 });
  });
});

describe('the middleware', () => {
  it('does the same for a server without the door', async () => {
    const logged = collectingSink();
    const middleware = httpMiddleware(createLogger({ sinks: [logged] }), { field: 'Id' });
    const server = createServer((req, res) => {
      middleware(req, res, () => {
        fromContext().information('inside');
        res.end('hello');
      });
    });
    const port = await listen(server);
    await fetch(`http://127.0.0.1:${port}/a`);
    const { Id } = (await loggedUntil(logged, REQUEST)).only();
    expect(logged.messages).toEqual(['inside', 'GET /a -> 200']);
    expect(logged.first()).toMatchObject({ Id });
  });
});
