import { request } from 'node:http';
import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { rawHttp } from '../fixtures/raw-http.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

const rig = useRig();

describe('forms', () => {
  const form = (text: string) => ({
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

  it.each([
    [
      '/v1/whole',
      'str=a+b%26c&i64=5&nested.str=n&strs=x&strs=y',
      { str: 'a b&c', i64: '5', nested: { str: 'n' }, strs: ['x', 'y'] },
    ],
    ['/v1/parts/p/nested', 'str=%C3%A9&i64=1', { str: 'p', nested: { str: 'é', i64: '1' } }],
    ['/v1/parts/p/nested?i32=5', 'str=n', { str: 'p', i32: 5, nested: { str: 'n' } }],
    ['/v1/whole', '', {}],
  ])('POST %s takes %s', async (path, text, json) => {
    const port = await rig.start({ forms: true });
    expect((await ask(port, path, form(text))).json).toEqual(json);
  });

  it.each([
    ['/v1/whole', 'nope=1', /^form field "nope": .* has no field/],
    ['/v1/whole', 'i32=x', /^form field "i32" has the value "x", which is not of the type int32/],
    ['/v1/whole', `${'nested.'.repeat(150)}str=a`, /^form field .* nested deeper than 100 levels/],
    ['/v1/whole', 'str=%ff', /^form field "str": not percent-encoded UTF-8/],
    ['/v1/parts/p/list', 'a=b', /a form cannot be read as the field strs/],
  ])('POST %s refuses %s', async (path, text, detail) => {
    const port = await rig.start({ forms: true });
    const answer = await ask(port, path, form(text));
    expect([answer.status, (answer.json as { detail: string }).detail]).toEqual([
      400,
      expect.stringMatching(detail),
    ]);
  });

  it('are refused unless they are asked for', async () => {
    expect((await ask(await rig.start(), '/v1/whole', form('str=a'))).status).toBe(415);
  });
});

it('a body that is the whole message leaves to the path what the path says', async () => {
  const body = JSON.stringify({ str: 'of the body', i32: 1 });
  const headers = { 'content-type': 'application/json' };
  const put = { method: 'PUT', body, headers };
  const answer = await ask(await rig.start(), '/v1/whole/p', put);
  expect(answer.json).toEqual({ str: 'p', i32: 1 });
});

it('raw bytes may be one field of a message', async () => {
  const put = { method: 'PUT', body: 'a,b', headers: { 'content-type': 'text/csv' } };
  const answer = await ask(await rig.start(), '/v1/uploads/table', put);
  expect(answer.json).toEqual({ name: 'table', file: { contentType: 'text/csv', data: 'YSxi' } });
});

describe('compression', () => {
  const text = 'abc '.repeat(1_000);

  async function fetched(port: number, accept: string, body = text) {
    const headers = { 'accept-encoding': accept, 'content-type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port, path: '/v1/whole', method: 'POST', headers });
    sent.end(JSON.stringify({ str: body }));
    const [res] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of res) chunks.push(chunk as Buffer);
    return { headers: res.headers, bytes: Buffer.concat(chunks) };
  }

  it.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, br', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ])('answers Accept-Encoding %s with %s', async (accept, encoding, open) => {
    const { headers, bytes } = await fetched(await rig.start({ compress: true }), accept);
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(JSON.parse(open(bytes).toString())).toEqual({ str: text });
  });

  it.each(['', 'identity', 'gzip;q=0', 'deflate'])(
    'sends the body as it is for Accept-Encoding %p, and says that this may vary',
    async (accept) => {
      const { headers, bytes } = await fetched(await rig.start({ compress: true }), accept);
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding']);
      expect(JSON.parse(bytes.toString())).toEqual({ str: text });
    },
  );

  it('compresses no small bodies, and none at all unless `compress` is set', async () => {
    const small = await fetched(await rig.start({ compress: true }), 'gzip', 'a');
    const plain = await fetched(await rig.start(), 'gzip');
    expect([small.headers['content-encoding'], plain.headers['content-encoding']]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

it('a body that comes in chunks of any size is the message', async () => {
  const str = Array.from({ length: 9_000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join(
    '',
  );
  const json = JSON.stringify({ str });
  // Alone, then many that are copied together, a large one, and small ones again.
  const sizes = [700, ...Array.from({ length: 4_500 }, () => 1), 2_000, 3, 1_023, 1_024, 5];
  const client = await rawHttp(await rig.start());
  const chunks: string[] = [];
  let at = 0;
  for (const size of [...sizes, json.length]) {
    const part = json.slice(at, at + size);
    if (part !== '') chunks.push(`${part.length.toString(16)}\r\n${part}\r\n`);
    at += size;
  }
  await client.send(
    'POST /v1/whole HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`,
  );
  const answer = await client.closed();
  expect(answer.slice(answer.indexOf('{'))).toBe(json);
});
