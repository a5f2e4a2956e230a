import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { gatekeeper } from '../fixtures/gatekeeper.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { Gateway } from './gateway.js';
import type { Middleware } from './gateway-options.js';

/** As body parsers do; `keep` says what becomes of the bytes. */
const reading =
  (
    keep: (req: IncomingMessage & { rawBody?: unknown; body?: unknown }, bytes: Buffer) => void,
  ): Middleware =>
  async (req, _res, next) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    keep(req, Buffer.concat(chunks));
    next();
  };

const asRawBody = reading((req, bytes) => {
  req.rawBody = bytes;
  // Without the digits of the gateway's JSON, which must not count.
  req.body = JSON.parse(bytes.toString());
});
const asBody = reading((req, bytes) => (req.body = bytes));
const asObject = reading((req, bytes) => (req.body = JSON.parse(`[${bytes.toString()}]`)));
const dropped = reading(() => {});

const HEADERS = { 'content-type': 'application/json' };
const SMALL = { i64: '9007199254740993', str: 'a' };
const LARGE = { i64: '9007199254740993', str: 'x'.repeat(200_000) };
const WAS_READ = /^request body: a middleware has read it before the gateway/;

describe.each(['network', 'in-process'] as const)(
  'a body that a middleware has read, %s',
  (how) => {
    const rig = useRig(how);
    const guarded = useRig(how, [gatekeeper().interceptor]);

    const post = (port: number, body: object) =>
      ask(port, '/v1/whole', { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });

    it.each([
      ['rawBody', asRawBody, SMALL],
      ['rawBody', asRawBody, LARGE],
      ['body', asBody, SMALL],
      ['body', asBody, LARGE],
    ])('is taken from the bytes in req.%s', async (_, middleware, message) => {
      const port = await rig.start({ middleware: [middleware], bodyTimeout: '2s' });
      expect((await post(port, message)).json).toEqual(message);
    });

    it('is bound by maxBodyBytes', async () => {
      const port = await rig.start({ middleware: [asRawBody], maxBodyBytes: 1_000 });
      expect((await post(port, LARGE)).status).toBe(413);
      const chunked = await ask(port, '/v1/whole', {
        method: 'POST',
        headers: { ...HEADERS, 'transfer-encoding': 'chunked', 'content-length': [] },
        body: JSON.stringify(LARGE),
      });
      expect(chunked.status).toBe(413);
    });

    it.each([
      ['as an object', asObject],
      ['nowhere', dropped],
    ])('is a 500 that says what to do when it is kept %s', async (_, middleware) => {
      const port = await rig.start({ middleware: [middleware], bodyTimeout: '2s' });
      expect(await post(port, SMALL)).toMatchObject({
        status: 500,
        json: { code: 'INTERNAL', detail: expect.stringMatching(WAS_READ) },
      });
      expect((await ask(port, '/v1/query?str=a')).json).toEqual({ str: 'a' });
    });

    it('tells a caller who is not let in nothing', async () => {
      for (const middleware of [asObject, asRawBody]) {
        const port = await guarded.start({ middleware: [middleware] });
        expect((await post(port, LARGE)).status).toBe(401);
      }
    });
  },
);

const rig = useRig();

it('a body of HTTP/2 that a middleware has read is taken from req.rawBody', async () => {
  const gateway = new Gateway(rig.registry, rig.upstream, { middleware: [asRawBody] });
  const server = createHttp2Server((req, res) => gateway.handle(req as never, res as never));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':method': 'POST', ':path': '/v1/whole', ...HEADERS });
  stream.end(JSON.stringify(SMALL));
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  session.close();
  server.close();
  expect(JSON.parse(text)).toEqual(SMALL);
});
