import { type IncomingHttpHeaders, request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Ask, ask } from '../fixtures/serve.fixture.js';

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  /** Asks a server that has this ETag for an answer long enough to be compressed. */
  async function askFor(etag: string, headers: Ask['headers'] = {}): Promise<IncomingHttpHeaders> {
    const port = await rig.start({ compress: true });
    const path = `/v1/metadata?headers=etag=${encodeURIComponent(etag)}`;
    const long = { 'grpc-metadata-long': 'x'.repeat(4_000) };
    const answer = await ask(port, path, { headers: { ...long, ...headers } });
    expect(answer.status).toBe(200);
    return answer.headers;
  }

  describe('the ETag of a compressed answer', () => {
    it.each([
      ['strong', '"1"', 'W/"1"'],
      ['weak', 'W/"1"', 'W/"1"'],
    ])('is weak if the server sent a %s one', async (_strength, sent, etag) => {
      const headers = await askFor(sent, { 'accept-encoding': 'gzip' });
      expect(headers).toMatchObject({ etag, 'content-encoding': 'gzip' });
    });

    it.each(['"1"', 'W/"1"'])('is %s, as the server sent it, if no coding fits', async (etag) => {
      const headers = await askFor(etag, { 'accept-encoding': 'identity' });
      expect(headers).toMatchObject({ etag });
      expect(headers).not.toHaveProperty('content-encoding');
    });
  });

  describe('If-None-Match', () => {
    it.each([
      ['"1"', 'W/"1"', 304],
      ['W/"1"', 'W/"1"', 304],
      ['W/"1"', '"1"', 304],
      ['"0",W/"1"', '"1"', 304],
      ['"11"', '"1"', 200],
      ['*', undefined, 200],
      ['*', '"1"', 304],
      ['"0", *', '"1"', 304],
      ['"1,2"', '"1,2"', 304],
      ['"0", W/"1, 2"', '"1, 2"', 304],
      ['"1,2"', '"1"', 200],
    ])('%s for the ETag %s is answered with %d', async (known, etag, status) => {
      const path = `/v1/metadata${etag === undefined ? '' : `?headers=etag=${encodeURIComponent(etag)}`}`;
      const answer = await ask(await rig.start(), path, { headers: { 'if-none-match': known } });
      expect([answer.status, answer.headers.etag]).toEqual([status, etag]);
    });

    it.each([
      [true, 'accept-encoding'],
      [false, undefined],
    ])('tells caches what the answer varies by, with compress: %s', async (compress, vary) => {
      const headers = { 'if-none-match': '"1"' };
      const port = await rig.start({ compress });
      const answer = await ask(port, '/v1/metadata?headers=etag="1"', { headers });
      expect([answer.status, answer.headers.vary]).toEqual([304, vary]);
    });

    it('does not keep a POST from its answer: only GET and HEAD may go without one', async () => {
      const selector = 'transcoding.v1.EchoService.Metadata';
      const path = '/v1/metadata?headers=etag="1"';
      const additionalBindings = [{ get: '/v1/metadata' }];
      const port = await rig.start({
        rules: [{ selector, post: '/v1/metadata', additionalBindings }],
      });
      const headers = { 'if-none-match': '"1"' };
      expect((await ask(port, path, { method: 'POST', headers })).status).toBe(200);
      expect((await ask(port, path, { headers })).status).toBe(304);
    });

    it('gets the headers alone for HEAD too', async () => {
      const headers = { 'if-none-match': '"1"' };
      const path = '/v1/metadata?headers=etag="1"';
      expect(await ask(await rig.start(), path, { method: 'HEAD', headers })).toMatchObject({
        status: 304,
        text: '',
      });
    });
  });

  describe('Accept', () => {
    const LINES = 'application/x-ndjson';
    const EVENTS = 'text/event-stream';

    it.each([
      [`${EVENTS};q=0`, LINES],
      [`${EVENTS};q=0.0, */*`, LINES],
      [`${EVENTS};q=0.5, ${LINES}`, LINES],
      [`${EVENTS}, ${LINES};q=0.5`, EVENTS],
      [`${EVENTS}, ${LINES}`, EVENTS],
      [`${LINES};q=0`, EVENTS],
      [`${EVENTS}, */*`, EVENTS],
      [`${LINES}, */*`, LINES],
      ['text/*', EVENTS],
      ['*/*', LINES],
      ['application/json', LINES],
      [`application/x;p="${EVENTS}, ${EVENTS}"`, LINES],
      [`${EVENTS};p="a,b"`, EVENTS],
      ['', LINES],
    ])('%s gets a stream as %s', async (accept, contentType) => {
      const answer = await ask(await rig.start(), '/v1/count?to=1', { headers: { accept } });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, contentType]);
      expect(answer.headers.vary).toBe('accept');
    });

    it.each([
      ['/v1/count?to=1', `${EVENTS};q=0, ${LINES};q=0`],
      ['/v1/count?to=1', 'text/html, */*;q=0'],
      ['/v1/query?str=a', 'application/json;q=0'],
      ['/v1/query?str=a', 'application/*;q=0, text/html'],
    ])('of %s, %s is answered with 406, and no call is made', async (path, accept) => {
      const before = rig.echo.calls.length;
      const answer = await ask(await rig.start(), path, { headers: { accept } });
      expect([answer.status, rig.echo.calls.length]).toEqual([406, before]);
      expect(answer.json).toMatchObject({ detail: expect.stringMatching(/^Accept refuses /) });
    });

    it.each([
      ['/v1/query?str=a', 'text/html', 'application/json'],
      ['/v1/query?str=a', 'text/html;q=0', 'application/json'],
      ['/v1/query?str=a', '*/*;q=0, application/json;q=0.1', 'application/json'],
      ['/v1/download?to=1', 'application/json;q=0', 'text/csv'],
    ])('of %s, %s gets %s', async (path, accept, contentType) => {
      const answer = await ask(await rig.start(), path, { headers: { accept } });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, contentType]);
    });

    it('that refuses JSON gets bytes whose type the server says', async () => {
      const answer = await ask(await rig.start(), '/v1/raw', {
        method: 'POST',
        body: 'a,b',
        headers: { 'content-type': 'text/csv', accept: 'application/json;q=0' },
      });
      expect(answer).toMatchObject({ status: 200, text: 'a,b' });
    });

    it.each([
      ['application/problem+json;q=0', 'application/json'],
      ['application/problem+json;q=0, application/json', 'application/json'],
      ['application/json;q=0.1', 'application/problem+json'],
      // An error is sent in any case.
      ['*/*;q=0', 'application/problem+json'],
    ])('%s gets an error as %s', async (accept, contentType) => {
      const answer = await ask(await rig.start(), '/v1/query?nope=a', { headers: { accept } });
      expect(answer.headers['content-type']).toBe(contentType);
      expect(answer.json).toHaveProperty('detail');
    });
  });

  describe('Accept-Encoding', () => {
    it.each([
      ['gzip;q=0, br;q=0', undefined],
      ['gzip;Q=0.5, br;q=0', 'gzip'],
      ['gzip;x="br,br";q=0.5', 'gzip'],
      ['br;q=0.1, *;q=0', 'br'],
    ])('%s gets the coding %s', async (coding, expected) => {
      const headers = await askFor('"1"', { 'accept-encoding': coding });
      expect(headers['content-encoding']).toBe(expected);
    });
  });

  describe('a stream of bytes', () => {
    /** What came, and whether the body was whole. */
    async function download(path: string): Promise<[text: string, isWhole: boolean]> {
      const port = await rig.start();
      return new Promise((resolve) => {
        const sent = request({ host: '127.0.0.1', port, path, agent: false }, (res) => {
          let text = '';
          res.on('data', (chunk: Buffer) => (text += chunk.toString()));
          res.on('error', () => {});
          res.on('close', () => resolve([text, res.complete]));
        });
        // The connection may break before the headers have left.
        sent.on('error', () => resolve(['', false])).end();
      });
    }

    it('ends where the server ends it', async () => {
      expect(await download('/v1/download?to=2')).toEqual(['line 1\nline 2\n', true]);
    });

    it('that fails is cut off, so that the caller does not take it for complete', async () => {
      const [, isWhole] = await download('/v1/download?to=2&fail_code=9');
      expect(isWhole).toBe(false);
    });

    it('that fails before its first bytes is a plain error', async () => {
      const answer = await ask(await rig.start(), '/v1/download?fail_code=9');
      expect(answer).toMatchObject({ status: 400, json: { code: 'FAILED_PRECONDITION' } });
    });
  });
});
