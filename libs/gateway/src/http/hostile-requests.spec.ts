import { describe, expect, it } from '@jest/globals';
import { rawHttp, statusesIn } from '../fixtures/raw-http.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const POST = 'POST /v1/whole HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const SMUGGLED = 'GET /v1/query?str=smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
const length = `Content-Length: ${SMUGGLED.length}\r\n`;

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  describe('a POST that asks to be another method', () => {
    it.each([
      'X-HTTP-Method-Override',
      'X-HTTP-Method',
      'X-Method-Override',
      'X-Original-Method',
      'X_HTTP_METHOD_OVERRIDE',
    ])('by the header %s stays a POST', async (name) => {
      const port = await rig.start();
      const before = rig.echo.calls.length;
      for (const method of ['PUT', 'PATCH', 'DELETE', 'GET']) {
        const headers = { ...JSON_TYPE, [name]: method };
        const asked = { method: 'POST', body: '{"str":"a"}', headers };
        expect((await ask(port, '/v1/whole', asked)).json).toEqual({ str: 'a' });
        // Only a DELETE is served here.
        expect((await ask(port, '/v1/path/one/a', asked)).status).toBe(405);
      }
      expect(rig.echo.calls.slice(before)).toEqual(
        Array.from({ length: 4 }, () => '/transcoding.v1.EchoService/Whole'),
      );
    });

    it.each([
      ['/v1/path/one/a?_method=DELETE', '{}', JSON_TYPE, 405],
      ['/v1/whole?_method=DELETE', '{}', JSON_TYPE, 400],
      ['/v1/whole', '{"_method":"DELETE"}', JSON_TYPE, 400],
      ['/v1/whole', '_method=DELETE', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
    ])('by %s with %s is refused', async (path, body, headers, status) => {
      const port = await rig.start({ forms: true });
      const before = rig.echo.calls.length;
      expect((await ask(port, path, { method: 'POST', body, headers })).status).toBe(status);
      expect(rig.echo.calls.length).toBe(before);
    });
  });

  describe.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'])(
    'the name %s',
    (name) => {
      const text = JSON.stringify(name);

      it.each([
        ['a map key', `{"labels":{${text}:"polluted"}}`],
        ['a Struct key', `{"struct":{${text}:{"polluted":true}}}`],
        ['a key inside a Struct', `{"struct":{"a":[{${text}:{"polluted":true}}]}}`],
      ])('is data as %s', async (_what, body) => {
        const port = await rig.start();
        const { text: echoed } = await ask(port, '/v1/whole', {
          method: 'POST',
          body,
          headers: JSON_TYPE,
        });
        expect(echoed).toBe(body);
        expect('polluted' in {}).toBe(false);
      });

      it.each([
        ['a member', 'POST', '/v1/whole', `{${text}:{"str":"a"}}`],
        ['a member of a message', 'POST', '/v1/whole', `{"nested":{${text}:{"str":"a"}}}`],
        ['the first part of a query path', 'GET', `/v1/query?${name}.str=a`, undefined],
        ['a later part of a query path', 'GET', `/v1/query?nested.${name}=a`, undefined],
        ['a path into a map', 'GET', `/v1/query?labels.${name}=a`, undefined],
      ])('is refused as %s', async (_what, method, path, body) => {
        const answer = await ask(await rig.start(), path, {
          method,
          ...(body !== undefined && { body, headers: JSON_TYPE }),
        });
        expect([answer.status, answer.json]).toEqual([
          400,
          expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
        ]);
        expect('str' in {}).toBe(false);
      });

      it('is the text of a mask or refused, and nothing is looked up by it', async () => {
        const path = `/v1/updates/a?updateMask=${name}`;
        const asked = { method: 'PATCH', body: '{}', headers: JSON_TYPE };
        const { status, json } = await ask(await rig.start(), path, asked);
        const isMask = name !== '__proto__';
        expect([status, json]).toEqual([
          isMask ? 200 : 400,
          expect.objectContaining(
            isMask ? { item: { str: 'a' }, updateMask: name } : { code: 'INVALID_ARGUMENT' },
          ),
        ]);
      });

      it('is never more than a key as metadata', async () => {
        const headers = { [`Grpc-Metadata-${name}`]: 'polluted' };
        const { status } = await ask(await rig.start(), '/v1/metadata', { headers });
        expect([200, 400]).toContain(status);
        expect(Object.prototype).not.toHaveProperty('polluted');
        expect(Object.values(Object.prototype)).toEqual([]);
      });
    },
  );

  it.each([
    ['two lengths', `${POST}Content-Length: 0\r\n${length}\r\n${SMUGGLED}`],
    [
      'a length and chunks',
      `${POST}Transfer-Encoding: chunked\r\n${length}\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    ['chunks that are not last', `${POST}Transfer-Encoding: chunked, identity\r\n\r\n${SMUGGLED}`],
    ['a coding that is not known', `${POST}Transfer-Encoding: xchunked\r\n\r\n${SMUGGLED}`],
    ['a length in hexadecimal', `${POST}Content-Length: 0x10\r\n\r\n${SMUGGLED}`],
    ['a length with a sign', `${POST}Content-Length: +0\r\n\r\n${SMUGGLED}`],
    ['a folded header', `${POST}X: a\r\n b\r\n${length}\r\n${SMUGGLED}`],
    ['a bare CR', `${POST}X: a\rContent-Length: 0\r\n${length}\r\n${SMUGGLED}`],
    ['a bare LF', `${POST}X: a\nContent-Length: 0\r\n${length}\r\n${SMUGGLED}`],
    ['a space before a colon', `${POST}Content-Length : 0\r\n${length}\r\n${SMUGGLED}`],
    ['a NUL in a header', `${POST}X: a\0\r\n${length}\r\n${SMUGGLED}`],
    [
      'a chunk size that ends early',
      `${POST}Transfer-Encoding: chunked\r\n\r\n0 x\r\n\r\n${SMUGGLED}`,
    ],
    [
      'a chunk without its end',
      `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{XX0\r\n\r\n${SMUGGLED}`,
    ],
  ])('a second request is not made of one with %s, and the connection ends', async (_, bytes) => {
    const client = await rawHttp(await rig.start());
    const before = rig.echo.calls.length;
    await client.send(bytes);
    expect(statusesIn(await client.closed())).toEqual([400]);
    expect(rig.echo.calls.length).toBe(before);
  });

  it('an answer before the whole body came never begins the next answer', async () => {
    const client = await rawHttp(await rig.start({ maxBodyBytes: 10 }));
    const before = rig.echo.calls.length;
    await client.send(`${POST}Content-Length: 1000\r\n\r\n`, SMUGGLED);
    expect(statusesIn(await client.closed())).toEqual([413]);
    expect(rig.echo.calls.length).toBe(before);
  });
});
