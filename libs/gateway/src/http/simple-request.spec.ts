import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Ask, ask } from '../fixtures/serve.fixture.js';
import { handshake } from '../fixtures/talk.fixture.js';
import type { AllowedOrigins } from '../request/origins.js';
import { Gateway } from './gateway.js';
import type { GatewayOptions } from './gateway-options.js';
import { webSockets } from './websocket/web-sockets.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TEXT = { 'content-type': 'text/plain' };
const EVIL = { origin: 'https://evil.example' };
const CROSS = { ...EVIL, 'sec-fetch-site': 'cross-site' };
const COOKIES: GatewayOptions = { forwardHeaders: ['cookie'], forms: true };

const empty = (method = 'POST', headers: Ask['headers'] = {}): Ask => ({ method, headers });
const filled = (body: string, headers: Ask['headers'] = {}): Ask => ({
  method: 'POST',
  body,
  headers,
});

describe.each(['network', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  /** The status of an answer, and how many calls the server saw. */
  async function outcome(port: number, path: string, asked: Ask): Promise<[number, number]> {
    const before = rig.echo.calls.length;
    const { status } = await ask(port, path, asked);
    return [status, rig.echo.calls.length - before];
  }

  describe('a request with a type that forms have, or none', () => {
    it.each<[string, string, Ask]>([
      ['a body without a type', '/v1/whole', filled('{}')],
      ['a body of text', '/v1/whole', filled('{}', TEXT)],
      [
        'a body of text that speaks of JSON',
        '/v1/whole',
        filled('{}', { 'content-type': 'text/plain; application/json' }),
      ],
      ['a form', '/v1/whole', filled('{}', FORM)],
      ['an empty form', '/v1/whole', empty('POST', { ...FORM, 'content-length': '0' })],
      ['an empty form to a rule without a body', '/v1/path/one/a', empty('DELETE', FORM)],
      [
        'a form of several parts',
        '/v1/whole',
        filled('--a--', { 'content-type': 'multipart/form-data; boundary=a' }),
      ],
    ])('does not reach a method that takes JSON: %s', async (_what, path, asked) => {
      const port = await rig.start();
      const [status, calls] = await outcome(port, path, asked);
      expect(status).toBe(415);
      expect(calls).toBe(0);
    });

    it('is told what to send', async () => {
      const { json, headers } = await ask(await rig.start(), '/v1/whole', filled('{}'));
      expect(json).toMatchObject({ detail: 'no content type: send application/json' });
      expect(headers['accept-post']).toBe('application/json');
    });
  });

  describe('where cookies are forwarded', () => {
    const SENT: readonly (readonly [what: string, path: string, asked: Ask])[] = [
      ['a POST without a body', '/v1/whole', empty()],
      ['a DELETE without a body', '/v1/path/one/a', empty('DELETE')],
      ['a form', '/v1/whole', filled('str=a', FORM)],
      ['raw text', '/v1/raw', filled('a', TEXT)],
      ['raw bytes without a type', '/v1/raw', filled('a')],
    ];
    const with_ = (asked: Ask, headers: Ask['headers']): Ask => ({
      ...asked,
      headers: { cookie: 'sid=1', ...asked.headers, ...headers },
    });

    it.each(
      SENT.flatMap(([what, path, asked]) =>
        [
          CROSS,
          { 'sec-fetch-site': 'cross-site' },
          { ...EVIL, 'sec-fetch-site': 'same-site' },
          { ...EVIL, 'sec-fetch-site': 'same-origin, cross-site' },
          EVIL,
          { origin: 'null' },
          { origin: 'http://127.0.0.1' },
          { origin: 'not an origin' },
        ].map((headers) => [what, headers, path, asked] as const),
      ),
    )('%s of a page of another origin is refused: %j', async (_what, headers, path, asked) => {
      const port = await rig.start(COOKIES);
      expect(await outcome(port, path, with_(asked, headers))).toEqual([403, 0]);
    });

    it.each(
      SENT.flatMap(([what, path, asked]) =>
        [
          {},
          { 'sec-fetch-site': 'none' },
          { ...EVIL, 'sec-fetch-site': 'same-origin' },
          { origin: 'null', 'sec-fetch-site': 'same-origin' },
          { origin: 'https://SHOP.example'.toLowerCase(), host: 'shop.example' },
        ].map((headers) => [what, headers, path, asked] as const),
      ),
    )(
      '%s of the own page, or of no browser, is served: %j',
      async (_what, headers, path, asked) => {
        const port = await rig.start(COOKIES);
        expect(await outcome(port, path, with_(asked, headers))).toEqual([200, 1]);
      },
    );

    it.each<[string, string, Ask]>([
      ['reads', '/v1/query', { headers: CROSS }],
      [
        'JSON, for which browsers ask first',
        '/v1/whole',
        filled('{}', { ...CROSS, 'content-type': 'application/json' }),
      ],
      [
        'raw bytes of a type for which they ask first',
        '/v1/raw',
        filled('a', { ...CROSS, 'content-type': 'image/png' }),
      ],
    ])('%s of a page of another origin are left to CORS', async (_what, path, asked) => {
      const port = await rig.start(COOKIES);
      expect(await outcome(port, path, asked)).toEqual([200, 1]);
    });

    it('says which pages were refused', async () => {
      const { json } = await ask(await rig.start(COOKIES), '/v1/whole', empty('POST', CROSS));
      expect(json).toMatchObject({
        code: 'PERMISSION_DENIED',
        detail: 'pages of "https://evil.example" may not send this request',
      });
    });
  });

  it.each<[string, GatewayOptions, number]>([
    ['are served where no cookies are forwarded', { forms: true }, 200],
    ['are refused where they are, in capitals', { forwardHeaders: ['Cookie'] }, 403],
    ['are refused where only own pages may send them', { origins: 'same' }, 403],
    ['are served where any page may', { ...COOKIES, origins: 'any' }, 200],
    ['are served where theirs is listed', { ...COOKIES, origins: [EVIL.origin] }, 200],
    ['are refused where another is listed', { origins: ['same', 'https://a.example'] }, 403],
    ['are served where a function says so', { origins: (it) => it === EVIL.origin }, 200],
    ['are refused where it says anything else', { origins: (() => 'yes') as never }, 403],
  ])('requests of pages of another origin %s', async (_what, options, status) => {
    const port = await rig.start(options);
    expect((await outcome(port, '/v1/whole', empty('POST', CROSS)))[0]).toBe(status);
  });
});

describe('the option origins', () => {
  const rig = useRig();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it.each<[AllowedOrigins, Ask['headers'], number]>([
    ['same', { origin: 'http://127.0.0.1:PORT' }, 200],
    [['same', 'https://a.example'], { origin: 'http://127.0.0.1:PORT' }, 200],
    [['same', 'https://a.example'], { origin: 'https://a.example' }, 200],
    // A name that an attacker lets point here is the host of the request, too.
    [['https://a.example'], { origin: 'http://127.0.0.1:PORT' }, 403],
    [['https://a.example'], { 'sec-fetch-site': 'same-origin' }, 200],
    [['https://a.example'], { 'sec-fetch-site': 'cross-site' }, 403],
  ])('as %j has one rule for requests and handshakes with %j', async (origins, headers, status) => {
    const port = await rig.start({ origins, webSockets: webSockets({ origins }) });
    const sent = Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [
        name,
        String(value).replace('PORT', String(port)),
      ]),
    );
    expect((await ask(port, '/v1/whole', empty('POST', sent))).status).toBe(status);
    const upgrade = await handshake(port, '/v1/chat', { headers: sent });
    expect(upgrade.status).toBe(status === 200 ? 101 : status);
  });

  it.each([
    ['http://shop.test:8080', 200],
    ['http://shop.test', 403],
  ])(
    'as "same" knows the host of an HTTP/2 request: %s is answered with %d',
    async (origin, status) => {
      const gateway = new Gateway(rig.registry, rig.upstream, { origins: 'same' });
      const server = createServer((req, res) =>
        gateway.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse),
      );
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      closing.push(
        () => session.destroy(),
        () => server.close(),
      );
      const asked = {
        ':method': 'POST',
        ':path': '/v1/whole',
        ':authority': 'shop.test:8080',
        origin,
      };
      const stream = session.request(asked, { endStream: true });
      const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
      expect(headers[':status']).toBe(status);
    },
  );

  it.each([
    ['https://a.example/', 'origins: must be "same", "any", a list of origins or a function'],
    [['https://a.example/'], 'origins: "https://a.example/" is not an origin'],
  ])('as %j is a mistake', async (origins, mistake) => {
    await expect(rig.start({ origins } as never)).rejects.toThrow(mistake);
  });
});
