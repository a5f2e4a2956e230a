import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import {
  type Http2Server,
  connect as connectHttp2,
  createServer as createHttp2Server,
} from 'node:http2';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { giveRequestId, noteHandler } from '@apix/contracts/internal';
import { context, propagation, trace } from '@opentelemetry/api';
import { type ReadableSpan, AlwaysOffSampler } from '@opentelemetry/sdk-trace';
import { until } from '../../../../tools/testing/until.js';
import { OtelError } from '../errors.js';
import { addToSpan, entrySpan } from '../tracing/entry-span.js';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import type { HttpTracingOptions } from './http-tracing-options.js';
import { traceServer, tracedHandler } from './http-trace-door.js';

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

let spans: RecordedSpans;
const open: { close(): unknown }[] = [];

beforeEach(() => {
  spans = new RecordedSpans();
});

afterEach(() => {
  for (const each of open.splice(0)) each.close();
  forgetSpans();
});

async function listen(server: Server | Http2Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

async function serve(handler: Handler, options?: HttpTracingOptions): Promise<number> {
  const server = createServer(handler);
  traceServer(server, { tracing: spans.tracing, options });
  return listen(server);
}

async function ask(port: number, path = '/', init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  await response.text();
  return response;
}

async function raw(port: number, ...lines: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  open.unshift({ close: () => socket.destroy() });
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** Nobody else hears of them once a connection is handed over. */
function ignoreErrors(socket: Socket): void {
  socket.on('error', () => {});
}

describe('the span of an HTTP request', () => {
  it('has the attributes of the conventions, and no query', async () => {
    const port = await serve((req, res) => {
      noteHandler(req, { route: '/orders/:id', handler: 'Orders.find' });
      giveRequestId(req, 'r-17');
      res.writeHead(201).end('{}');
    });
    await ask(port, '/orders/17?token=secret', { headers: { 'user-agent': 'test' } });
    expect(await spans.only()).toEqual({
      name: 'GET /orders/:id',
      kind: 'SERVER',
      status: 'UNSET',
      exceptions: 0,
      attributes: {
        'http.request.method': 'GET',
        'url.path': '/orders/17',
        'url.scheme': 'http',
        'server.address': '127.0.0.1',
        'server.port': port,
        'client.address': '127.0.0.1',
        'user_agent.original': 'test',
        'network.protocol.version': '1.1',
        'http.route': '/orders/:id',
        'http.response.status_code': 201,
        'apix.request.id': 'r-17',
      },
    });
  });

  it.each([
    [200, 'UNSET', undefined],
    [404, 'UNSET', undefined],
    [500, 'ERROR', '500'],
    [503, 'ERROR', '503'],
  ])('of an answer %i has the status %s', async (code, status, errorType) => {
    const port = await serve((_req, res) => res.writeHead(code).end());
    await ask(port);
    const span = await spans.only();
    expect([span.name, span.status]).toEqual(['GET', status]);
    expect(span.attributes['error.type']).toBe(errorType);
  });

  it('has what failed, where the answer says so', async () => {
    const port = await serve((_req, res) => {
      entrySpan()?.failed?.(new RangeError('no such page'));
      res.writeHead(500).end();
    });
    await ask(port);
    await spans.until(1);
    const [{ events, status, attributes }] = spans.all as [ReadableSpan];
    expect(events.map(({ name, attributes: of }) => [name, of?.['exception.message']])).toEqual([
      ['exception', 'no such page'],
    ]);
    expect(status.message).toBe('no such page');
    expect(attributes['error.type']).toBe('RangeError');
  });

  it('is active in listeners, async iteration and what they wait for', async () => {
    const seen: (string | undefined)[] = [];
    const note = (): void => void seen.push(trace.getActiveSpan()?.spanContext().traceId);
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const port = await serve(async (req, res) => {
      req.once('end', note);
      for await (const _ of req) note();
      note();
      res.once('finish', note).once('close', () => (note(), closed()));
      res.end();
    });
    await ask(port, '/', { method: 'POST', body: 'part' });
    await isClosed;
    const [span] = await spans.until(1);
    expect(seen).toEqual(Array.from({ length: 5 }, () => span!.spanContext().traceId));
  });

  it('takes attributes from wherever in the request code runs', async () => {
    const port = await serve((_req, res) => {
      trace.getTracer('app').startActiveSpan('inner', (inner) => {
        addToSpan({ 'enduser.id': 'ada' });
        inner.end();
      });
      res.end();
    });
    await ask(port);
    const [inner, outer] = await spans.until(2);
    expect([inner!.name, inner!.attributes]).toEqual(['inner', {}]);
    expect(outer!.attributes['enduser.id']).toBe('ada');
    expect(inner!.parentSpanContext?.spanId).toBe(outer!.spanContext().spanId);
  });

  it.each([
    ['PROPFIND', 'HTTP', '_OTHER', 'PROPFIND'],
    ['DELETE', 'DELETE', 'DELETE', undefined],
  ])('of %s is %s', async (method, name, known, original) => {
    const port = await serve((_req, res) => res.end());
    await ask(port, '/', { method });
    const span = await spans.only();
    expect([span.name, span.attributes['http.request.method']]).toEqual([name, known]);
    expect(span.attributes['http.request.method_original']).toBe(original);
  });
});

describe('a request that does not end well', () => {
  it('is no error of the server where its caller leaves', async () => {
    let begun: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const port = await serve(() => begun());
    const socket = await raw(port, 'GET / HTTP/1.1', 'Host: a');
    await isBegun;
    socket.destroy();
    const { status, attributes } = await spans.only();
    expect([status, attributes['apix.http.ended']]).toEqual(['UNSET', 'caller']);
    expect(attributes).not.toHaveProperty(['http.response.status_code']);
  });

  it('is an error where the server breaks its answer off', async () => {
    const port = await serve((_req, res) => {
      res.writeHead(200);
      res.write('half', () => res.destroy());
    });
    await raw(port, 'GET / HTTP/1.1', 'Host: a');
    const { status, attributes } = await spans.only();
    expect([status, attributes['apix.http.ended'], attributes['error.type']]).toEqual([
      'ERROR',
      'server',
      'aborted',
    ]);
    expect(attributes['http.response.status_code']).toBe(200);
  });

  it('says of each pipelined request what it was answered', async () => {
    const port = await serve((req, res) => void res.writeHead(req.url === '/b' ? 404 : 200).end());
    const one = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const socket = await raw(port, `${one('/a')}${one('/b')}GET /c HTTP/1.1`, 'Host: a');
    const ended = await spans.until(3);
    socket.destroy();
    const reported = ended.map(({ attributes }) => [
      attributes['url.path'],
      attributes['http.response.status_code'],
    ]);
    expect(reported).toEqual([
      ['/a', 200],
      ['/b', 404],
      ['/c', 200],
    ]);
  });

  it('records no credentials of the Host header', async () => {
    const port = await serve((_req, res) => res.end());
    (await raw(port, 'GET / HTTP/1.1', 'Host: secret@shop.example')).destroy();
    const { attributes } = await spans.only();
    expect(attributes).not.toHaveProperty(['server.address']);
  });

  it('ends all spans of requests that were pipelined', async () => {
    const begun: unknown[] = [];
    const port = await serve((_req, res) => {
      begun.push(res);
      if (begun.length === 3) socket.destroy();
    });
    const one = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    const socket = await raw(port, `${one}${one}GET / HTTP/1.1`, 'Host: a');
    await spans.until(3);
    expect(spans.started).toBe(3);
  });
});

describe('what is no plain request', () => {
  it.each([
    ['101', 'HTTP/1.1 101 Switching Protocols', 101],
    ['403', 'HTTP/1.1 403 Forbidden', 403],
  ])('an upgrade has a span until it is answered %s', async (_, head, status) => {
    const server = createServer();
    server.on('connection', ignoreErrors);
    server.on('upgrade', (_req, socket) => {
      addToSpan({ 'is.active': true });
      socket.write(`${head}\r\n\r\n`);
    });
    traceServer(server, { tracing: spans.tracing });
    const port = await listen(server);
    const socket = await raw(
      port,
      'GET /ws HTTP/1.1',
      'Host: a',
      'Connection: upgrade',
      'Upgrade: x',
    );
    const span = await spans.only();
    expect([span.name, span.attributes['http.response.status_code']]).toEqual(['GET', status]);
    expect(span.attributes['is.active']).toBe(true);
    socket.destroy();
  });

  it('an upgrade whose caller leaves has a span without a status', async () => {
    const server = createServer();
    server.on('connection', ignoreErrors);
    server.on('upgrade', (_req, socket) => socket.destroy());
    traceServer(server, { tracing: spans.tracing });
    await raw(
      await listen(server),
      'GET / HTTP/1.1',
      'Host: a',
      'Connection: upgrade',
      'Upgrade: x',
    );
    const { attributes } = await spans.only();
    expect(attributes).not.toHaveProperty(['http.response.status_code']);
  });

  it('CONNECT has a span', async () => {
    const server = createServer();
    server.on('connection', ignoreErrors);
    server.on('connect', (_req, socket) => socket.end('HTTP/1.1 200 Connected\r\n\r\n'));
    traceServer(server, { tracing: spans.tracing });
    await raw(await listen(server), 'CONNECT a.example:443 HTTP/1.1', 'Host: a.example:443');
    expect(await spans.only()).toMatchObject({
      name: 'CONNECT',
      attributes: { 'http.request.method': 'CONNECT', 'http.response.status_code': 200 },
    });
  });

  it('requests of HTTP/2 have spans', async () => {
    const server = createHttp2Server((req, res) => {
      addToSpan({ 'is.active': true });
      if (req.url === '/left') req.stream.close(8);
      else res.writeHead(204).end();
    });
    traceServer(server, { tracing: spans.tracing });
    const port = await listen(server);
    const client = connectHttp2(`http://127.0.0.1:${port}`);
    open.unshift(client);
    client.request({ ':path': '/orders' }).resume();
    const span = await spans.only();
    expect(span.attributes).toMatchObject({
      'network.protocol.version': '2',
      'server.port': port,
      'http.response.status_code': 204,
      'is.active': true,
    });
    client
      .request({ ':path': '/left' })
      .on('error', () => {})
      .resume();
    await spans.until(2);
    expect(spans.started).toBe(2);
  });

  it('a handler that is traced twice has one span', async () => {
    const init = { tracing: spans.tracing };
    const handler = tracedHandler(
      tracedHandler((_req, res) => res.end(), init),
      init,
    );
    const port = await listen(createServer(handler));
    await ask(port);
    expect((await spans.only()).name).toBe('GET');
  });
});

describe('the trace of a caller', () => {
  const BAGGAGE = 'tenant=acme';
  let seen: string | undefined;
  const handler: Handler = (_req, res) => {
    seen = propagation.getBaggage(context.active())?.getEntry('tenant')?.value;
    res.end();
  };

  it.each([
    ['parent', TRACE_ID, SPAN_ID, [], 'acme'],
    ['link', undefined, undefined, [SPAN_ID], undefined],
    ['ignore', undefined, undefined, [], undefined],
  ] as const)('is taken as %s', async (incoming, traceId, parent, links, baggage) => {
    const port = await serve(handler, { incoming });
    await ask(port, '/', { headers: { traceparent: TRACEPARENT, baggage: BAGGAGE } });
    const [span] = await spans.until(1);
    expect(span!.parentSpanContext?.spanId).toBe(parent);
    expect(span!.spanContext().traceId === TRACE_ID).toBe(traceId === TRACE_ID);
    expect(span!.links.map((link) => link.context.spanId)).toEqual(links);
    expect(seen).toBe(baggage);
  });

  it('is not recorded where the caller has decided against it', async () => {
    const port = await serve((_req, res) => {
      addToSpan({ a: 1 });
      const { traceId, traceFlags } = trace.getActiveSpan()!.spanContext();
      res.end(`${traceId} ${traceFlags}`);
    });
    const headers = { traceparent: TRACEPARENT.replace(/01$/, '00') };
    const response = await fetch(`http://127.0.0.1:${port}`, { headers });
    expect(await response.text()).toBe(`${TRACE_ID} 0`);
    expect(spans.started).toBe(0);
  });

  it.each([
    ['garbage', ['traceparent: 00-!!', 'baggage: ;;;==,,%%%']],
    ['twice', [`traceparent: ${TRACEPARENT}`, `traceparent: ${TRACEPARENT}`]],
    ['huge', [`traceparent: ${'0'.repeat(4000)}`, `baggage: a=${'x'.repeat(9000)}`]],
    ['zeros', [`traceparent: 00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`]],
  ])('that is %s changes nothing but the trace', async (_, headers) => {
    const port = await serve((_req, res) => res.end('fine'));
    const socket = await raw(port, 'GET / HTTP/1.1', 'Host: a', ...headers);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    const [span] = await spans.until(1);
    expect(String(answer)).toMatch(/^HTTP\/1.1 (200|400)/);
    expect(span!.parentSpanContext).toBeUndefined();
  });

  it('may not be read by a propagator that throws', async () => {
    propagation.disable();
    const extract = (): never => {
      throw new Error('broken');
    };
    propagation.setGlobalPropagator({ inject() {}, extract, fields: () => [] });
    const port = await serve((_req, res) => res.end());
    expect((await ask(port)).status).toBe(200);
    expect((await spans.only()).name).toBe('GET');
  });
});

describe('options', () => {
  it('capture headers by name, and the query where it is asked for', async () => {
    const captureHeaders = { request: ['X-Tenant', 'x-not-there'], response: ['x-cache', 'vary'] };
    const port = await serve(
      (_req, res) => {
        res.setHeader('vary', ['a', 'b']);
        res.setHeader('x-cache', 'hit').end();
      },
      { captureHeaders, captureQuery: true },
    );
    await ask(port, '/?page=2', { headers: { 'x-tenant': 'acme' } });
    const { attributes } = await spans.only();
    expect(attributes).toMatchObject({
      'url.query': 'page=2',
      'http.request.header.x-tenant': ['acme'],
      'http.response.header.x-cache': ['hit'],
      'http.response.header.vary': ['a', 'b'],
    });
    expect(attributes).not.toHaveProperty(['http.request.header.x-not-there']);
  });

  it('skip requests, and a skip that throws skips none', async () => {
    const skip = ({ url }: IncomingMessage): boolean => {
      if (url === '/throws') throw new Error('broken');
      return url === '/skipped';
    };
    const port = await serve((_req, res) => res.end(), { skip });
    await ask(port, '/skipped');
    await ask(port, '/throws');
    expect((await spans.only()).attributes['url.path']).toBe('/throws');
    expect(spans.started).toBe(1);
  });

  it('that are wrong are refused together', () => {
    const options = {
      incoming: 'maybe',
      skip: true,
      infrastructure: 1,
      captureHeaders: { request: ['Cookie'], response: 'all' },
    } as unknown as HttpTracingOptions;
    const refused = (): unknown => traceServer(createServer(), { tracing: spans.tracing, options });
    expect(refused).toThrow(OtelError);
    expect(refused).toThrow('captureHeaders.request: "cookie" carries credentials; leave it out');
    expect(refused).toThrow('5 mistakes');
  });
});

it('a span that is not sampled still carries the trace', async () => {
  forgetSpans();
  spans = new RecordedSpans(new AlwaysOffSampler());
  const port = await serve((_req, res) => res.end(trace.getActiveSpan()?.spanContext().traceId));
  const response = await fetch(`http://127.0.0.1:${port}`);
  expect(await response.text()).toMatch(/^[\da-f]{32}$/);
  expect(spans.started).toBe(0);
});

describe('ended requests', () => {
  it('are reported by route with how they ended, also where no span is sampled', async () => {
    spans = new RecordedSpans(new AlwaysOffSampler());
    const seen: unknown[] = [];
    const leave = spans.tracing.requests.follow((name, ms, outcome) => {
      expect(ms).toBeGreaterThan(0);
      seen.push([name, outcome]);
    });
    spans.tracing.requests.follow(() => {
      throw new Error('must not fail the request');
    });
    const port = await serve((req, res) => {
      const status = Number(req.url!.slice(1));
      if (status !== 404) noteHandler(req, { route: '/:status', handler: 'Status.answer' });
      res.writeHead(status).end();
    });
    for (const path of ['/200', '/404', '/409', '/503']) await ask(port, path);
    await until(() => seen.length === 4);
    expect(seen).toEqual([
      ['GET /:status', 'ok'],
      ['GET (no route)', 'refused'],
      ['GET /:status', 'refused'],
      ['GET /:status', 'failed'],
    ]);
    leave();
    await ask(port, '/200');
    await ask(port, '/200');
    expect(seen).toHaveLength(4);
  });
});
