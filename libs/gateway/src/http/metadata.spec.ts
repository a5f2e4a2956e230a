import { describe, expect, it } from '@jest/globals';
import type { TranscodingOptions } from '../options.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Ask, ask } from '../fixtures/serve.fixture.js';
import type { GatewayOptions, Middleware } from './gateway-options.js';

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  interface Seen {
    readonly metadata: Readonly<Record<string, string>>;
    readonly remainingMs?: number;
  }

  async function seenWith(headers: Ask['headers'], options: GatewayOptions = {}): Promise<Seen> {
    const answer = await ask(await rig.start(options), '/v1/metadata', {
      ...(headers && { headers }),
    });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json as Seen;
  }

  describe('request metadata', () => {
    it('forwards Authorization', async () => {
      const { metadata } = await seenWith({ authorization: 'Bearer a' });
      expect(metadata['authorization']).toBe('Bearer a');
    });

    it('forwards every value of a header that came twice', async () => {
      const { metadata } = await seenWith({ 'Grpc-Metadata-Tenant': ['a', 'b'] });
      expect(metadata['tenant']).toMatch(/^a(?: \| |, )b$/);
    });

    it('forwards the standard headers and those that are named, no others', async () => {
      const { metadata } = await seenWith(
        {
          'accept-language': 'de',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
          cookie: 'session=1',
          'x-tenant': 'a',
          'x-other': 'b',
        },
        { forwardHeaders: ['X-Tenant'] },
      );
      expect(metadata).toMatchObject({
        'accept-language': 'de',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'x-tenant': 'a',
      });
      expect(Object.keys(metadata)).not.toEqual(expect.arrayContaining(['cookie']));
      expect(Object.keys(metadata)).not.toEqual(expect.arrayContaining(['x-other']));
    });

    it.each<[string, Middleware, string | undefined]>([
      ['deletes', (req) => delete req.headers['x-user'], undefined],
      ['sets to undefined', (req) => (req.headers['x-user'] = undefined), undefined],
      ['replaces', (req) => (req.headers['x-user'] = 'ada'), 'ada'],
      ['replaces by a list', (req) => (req.headers['x-user'] = ['ada']), 'ada'],
      ['leaves alone', () => {}, 'root'],
    ])('has of a header that middleware %s what is left', async (_, edit, left) => {
      const middleware: Middleware = (req, res, next) => {
        edit(req, res, next);
        next();
      };
      const { metadata } = await seenWith(
        { 'X-User': 'root' },
        { forwardHeaders: ['x-user'], middleware: [middleware] },
      );
      expect(metadata['x-user']).toBe(left);
    });

    it('has a header that middleware adds, and no prefixed one that it deletes', async () => {
      const middleware: Middleware = (req, _res, next) => {
        req.headers['x-user'] = 'ada';
        delete req.headers['grpc-metadata-tenant'];
        next();
      };
      const { metadata } = await seenWith(
        { 'Grpc-Metadata-Tenant': 'a' },
        { forwardHeaders: ['x-user'], middleware: [middleware] },
      );
      expect([metadata['x-user'], metadata['tenant']]).toEqual(['ada', undefined]);
    });

    it('forwards Grpc-Metadata-* without the prefix, binary ones decoded', async () => {
      const { metadata } = await seenWith({
        'Grpc-Metadata-Tenant': 'a',
        'Grpc-Metadata-Trace-Bin': 'aGk=',
      });
      expect(metadata).toMatchObject({ tenant: 'a', 'trace-bin': 'hi' });
    });

    it('says over the network that the call is forwarded', async () => {
      expect((await seenWith({})).metadata['x-apix-forwarded']).toBe('1');
    });

    it.each([
      'x-apix-forwarded',
      'x-apix-anything',
      'grpc-timeout',
      'grpc-status',
      'connection',
      'te',
      'content-type',
      'host',
      'authorization',
      'x-forwarded-for',
      'x-request-id',
      'a!b',
    ])('refuses Grpc-Metadata-%s', async (key) => {
      const headers = { [`Grpc-Metadata-${key}`]: 'x' };
      const answer = await ask(await rig.start(), '/v1/metadata', { headers });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        detail: expect.stringContaining(`"${key}" is reserved and cannot be set`),
      });
    });

    it.each([
      [{ 'Grpc-Metadata-A-Bin': '***' }, 400, 'is not base64'],
      [{ 'Grpc-Metadata-A': 'é' }, 400, 'beyond printable ASCII'],
      [{ 'accept-language': 'é' }, 400, 'beyond printable ASCII'],
      [{ authorization: 'Bearer é' }, 401, 'malformed authorization header'],
      [{ Authorization: ['Bearer a', 'Bearer b'] }, 401, 'more than one authorization header'],
      [{ 'Grpc-Metadata-Etag': ['a', 'b'] }, 400, 'Grpc-Metadata-etag is given twice'],
    ])('refuses the value in %j with %d', async (headers, status, detail) => {
      const answer = await ask(await rig.start(), '/v1/metadata', { headers });
      expect([answer.status, (answer.json as { detail: string }).detail]).toEqual([
        status,
        expect.stringContaining(detail),
      ]);
    });

    it.each([
      [{ tracestate: 'a=1,\tb=2' }, 'a=1, b=2'],
      [{ tracestate: 'a=é' }, undefined],
    ])('serves a request with the trace context %j', async (headers, tracestate) => {
      expect((await seenWith(headers)).metadata['tracestate']).toBe(tracestate);
    });

    it('takes over a sound request id and makes one otherwise', async () => {
      const port = await rig.start();
      const given = await ask(port, '/v1/metadata', { headers: { 'x-request-id': 'abc-1' } });
      expect(given.headers['x-request-id']).toBe('abc-1');
      expect((given.json as Seen).metadata['x-request-id']).toBe('abc-1');
      const made = await ask(port, '/v1/metadata', { headers: { 'x-request-id': 'a b<script>' } });
      expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect((made.json as Seen).metadata['x-request-id']).toBe(made.headers['x-request-id']);
    });

    it("tells the caller's address, and believes only trusted proxies", async () => {
      const headers = { 'x-forwarded-for': '1.1.1.1' };
      expect((await seenWith(headers)).metadata['x-forwarded-for']).toBe('127.0.0.1');
      const trusting = await seenWith(headers, { trustProxy: ['127.0.0.0/8'] });
      expect(trusting.metadata['x-forwarded-for']).toBe('1.1.1.1, 127.0.0.1');
    });
  });

  describe('deadlines', () => {
    it.each<[string, Ask['headers'], TranscodingOptions, number]>([
      ['has a default', {}, {}, 30_000],
      ['takes the default from the options', {}, { timeout: '5s' }, 5_000],
      ['takes Grpc-Timeout', { 'grpc-timeout': '7S' }, {}, 7_000],
      ['caps Grpc-Timeout', { 'grpc-timeout': '1H' }, { maxTimeout: '10s' }, 10_000],
      ['clamps what a timer cannot hold', { 'grpc-timeout': '1000H' }, {}, 2 ** 31 - 1],
    ])('%s', async (_what, headers, options, ms) => {
      const { remainingMs = 0 } = await seenWith(headers, options);
      expect(remainingMs).toBeGreaterThan(ms - 2_000);
      expect(remainingMs).toBeLessThanOrEqual(ms);
    });
  });

  describe('response metadata', () => {
    const reply = async (query: string, headers: Ask['headers'] = {}) =>
      ask(await rig.start({ responseHeaders: ['x-plain'] }), `/v1/metadata?${query}`, { headers });

    it('sends headers and trailers with a prefix, each value by itself', async () => {
      const { headers } = await reply('headers=tenant=a&headers=tenant=b&trailers=cost=5');
      expect(headers).toMatchObject({ 'grpc-metadata-tenant': 'a, b', 'grpc-trailer-cost': '5' });
    });

    it('sends HTTP headers under their own name', async () => {
      const { headers } = await reply('headers=etag="1"&headers=x-plain=a&headers=location=/b');
      expect(headers).toMatchObject({ etag: '"1"', 'x-plain': 'a', location: '/b' });
    });

    it('keeps internal metadata inside', async () => {
      const { headers } = await reply('headers=x-apix-secret=a&trailers=x-apix-more=b');
      expect(Object.keys(headers).filter((name) => name.includes('apix'))).toEqual([]);
    });

    it.each([
      ['201', 201, expect.stringContaining('metadata')],
      ['204', 204, ''],
      ['303', 303, expect.stringContaining('metadata')],
      ['205', 200, expect.stringContaining('metadata')],
      ['404', 200, expect.stringContaining('metadata')],
      ['x', 200, expect.stringContaining('metadata')],
    ])('has a server choose the status of a success: %s is %d', async (chosen, status, text) => {
      const answer = await reply(`headers=x-http-code=${chosen}&headers=location=/b`);
      expect([answer.status, answer.text]).toEqual([status, text]);
      expect(answer.headers['location']).toBe('/b');
      expect(Object.keys(answer.headers)).not.toContain('grpc-metadata-x-http-code');
    });

    it('says nothing of a body with 204, which has none', async () => {
      const { headers } = await reply('headers=x-http-code=204');
      expect(headers).not.toHaveProperty('content-type');
      expect(headers).not.toHaveProperty('content-length');
    });

    it.each([
      ['"1"', 304, ''],
      ['W/"1", "2"', 304, ''],
      ['*', 304, ''],
      ['"2"', 200, expect.stringContaining('metadata')],
    ])('answers If-None-Match %s for the ETag "1" with %d', async (known, status, text) => {
      const answer = await reply('headers=etag="1"', { 'if-none-match': known });
      expect([answer.status, answer.text]).toEqual([status, text]);
    });
  });
});
