import 'reflect-metadata';
import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import { uploadByCurl } from '../../../tools/testing/curl.js';
import type { Http2Served } from '../../../tools/testing/host-server.js';
import {
  type Question,
  type WholeAnswer,
  askHttp1,
  askHttp2,
  connectHttp2,
} from '../../../tools/testing/http-answers.js';
import { HOSTX_SERVERS, NEST_SERVERS } from './http2-servers.fixture.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type Row = readonly [status: number, question: Question];

const gzip = { 'accept-encoding': 'gzip' };
const BOTH: readonly Row[] = [
  [200, { path: '/docs' }],
  [200, { path: '/docs', method: 'HEAD' }],
  [200, { path: '/docs/shop.json' }],
  [200, { path: '/docs/shop.json', headers: gzip }],
  [200, { path: '/docs/swagger-ui.css', headers: gzip }],
  [200, { path: '/docs/swagger-ui.css', method: 'HEAD' }],
  [404, { path: '/docs/nothing.js' }],
  [401, { path: '/guarded' }],
  [401, { path: '/guarded', method: 'HEAD' }],
  [200, { path: '/healthz', method: 'HEAD' }],
  [200, { path: '/metrics', method: 'HEAD' }],
  [405, { path: '/metrics', method: 'POST', body: 'x' }],
];
const ON_NEST: readonly Row[] = [
  ...BOTH,
  [200, { path: '/host' }],
  [200, { path: '/host', method: 'HEAD' }],
  [200, { path: '/host/page.js' }],
  [200, { path: '/host/page.css' }],
  [200, { path: '/host/stream', method: 'HEAD' }],
  [404, { path: '/host/traces/none' }],
  [403, { path: '/forbidden' }],
  [404, { path: '/nothing' }],
];
const ON_HOSTX: readonly Row[] = [
  ...BOTH,
  [200, { path: '/healthz' }],
  [503, { path: '/readyz' }],
  [405, { path: '/healthz', method: 'POST', body: 'x' }],
  [405, { path: '/docs', method: 'POST', body: 'x' }],
  [404, { path: '/nothing' }],
  [200, { path: '/metrics' }],
  [200, { path: '/no-metrics' }],
];
/** Uploads that are refused before they are read. */
const REFUSED: readonly (readonly [number, string])[] = [
  [401, '/guarded'],
  [405, '/metrics'],
];
/** Fastify's own limit, whose error is answered by the exceptions filter. */
const REFUSED_BY_NEST: readonly (readonly [number, string])[] = [...REFUSED, [413, '/nothing']];
const REFUSED_BY_HOSTX: readonly (readonly [number, string])[] = [
  ...REFUSED,
  [404, '/nothing'],
  [405, '/healthz'],
  [405, '/docs'],
];

const TABLE = [
  ...NEST_SERVERS.map((server) => [...server, ON_NEST, REFUSED_BY_NEST] as const),
  ...HOSTX_SERVERS.map((server) => [...server, ON_HOSTX, REFUSED_BY_HOSTX] as const),
];

async function started(serve: () => Promise<Http2Served>) {
  const served = await serve();
  const session: ClientHttp2Session = connectHttp2(served.http2);
  closing.push(
    () => served.close(),
    () => session.destroy(),
  );
  return { served, session };
}

/** Without how long the checks took. */
function steady({ body, ...answer }: WholeAnswer): WholeAnswer {
  return { ...answer, body: body.replaceAll(/"durationMs":[\d.]+/g, '') };
}

describe.each(TABLE)('on %s', (_server, serve, rows, refused) => {
  it('what the packages answer over HTTP/2 has the bytes of their answers over HTTP/1', async () => {
    const { served, session } = await started(serve);
    for (const [status, question] of rows) {
      const wanted = steady(await askHttp1(served.http1, question));
      const seen = await Promise.all([1, 2, 3].map(() => askHttp2(session, question)));
      expect([question, ...seen.map(steady)]).toEqual([question, wanted, wanted, wanted]);
      expect([question, wanted.status]).toEqual([question, status]);
      const known = { 'if-none-match': String(wanted.headers['etag']) };
      const again = await askHttp2(session, { ...question, headers: known });
      const isKnown = wanted.headers['etag'] !== undefined;
      expect([question, again.status]).toEqual([question, isKnown ? 304 : status]);
    }
  });

  it('curl gets the answers to uploads that are refused', async () => {
    const { served } = await started(serve);
    for (const [status, path] of refused) {
      const upload = await uploadByCurl(`${served.http2}${path}`, 8_000_000);
      expect([path, upload.exitCode, upload.errors, upload.status]).toEqual([path, 0, '', status]);
    }
  });
});

it.each(NEST_SERVERS)(
  'on %s the stream of the host page arrives as it was written',
  async (_, serve) => {
    const { served, session } = await started(serve);
    const streams = [1, 2, 3, 4].map(() => session.request({ ':path': '/host/stream' }));
    const texts = streams.map(async (stream) => {
      let text = '';
      for await (const part of stream.setEncoding('utf8')) text += part as string;
      return text;
    });
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    await Promise.all(streams.map((stream) => once(stream, 'readable')));
    await served.close();
    for (const text of await Promise.all(texts)) {
      expect(text).toMatch(/^retry: 2000\n\n(?:data: \{.*\}\n\n)+$/);
    }
  },
);
