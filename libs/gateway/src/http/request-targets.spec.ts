import { describe, expect, it } from '@jest/globals';
import { readTarget } from '@apix/contracts/internal';
import { spellingsOf } from '../fixtures/path-spellings.fixture.js';
import { H2C_OFFER, rawHttp, statusesIn } from '../fixtures/raw-http.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { webSockets } from './websocket/web-sockets.js';

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  describe('a target in absolute-form', () => {
    it.each([
      ['http://shop.test/v1/query?str=a', 200, { str: 'a' }],
      ['HTTPS://shop.test:8443/v1/query?str=a', 200, { str: 'a' }],
      ['http://user@shop.test/v1/path/one/a', 200, { str: 'a' }],
      ['http://shop.test/v1/nothing', 404, { detail: 'nothing is served at /v1/nothing' }],
      ['http://shop.test', 404, { detail: 'nothing is served at /' }],
      ['http://shop.test//v1/query', 404, { detail: 'nothing is served at //v1/query' }],
    ])('%s is routed by its path', async (target, status, json) => {
      const answer = await ask(await rig.start(), target);
      expect([answer.status, answer.json]).toEqual([status, expect.objectContaining(json)]);
    });

    it('is below the mount path by its path', async () => {
      const port = await rig.start({ mount: '/api' });
      expect((await ask(port, 'http://shop.test/api/v1/query?str=a')).json).toEqual({ str: 'a' });
      expect((await ask(port, 'http://shop.test/api')).status).toBe(404);
    });

    it('counts before Host for the server', async () => {
      const { json } = await ask(await rig.start(), 'http://shop.test:81/v1/metadata');
      expect(json).toMatchObject({ metadata: { 'x-forwarded-host': 'shop.test:81' } });
    });

    it('is routed by its path where the request offers an upgrade', async () => {
      const port = await rig.start({ webSockets: webSockets() });
      const http = await rawHttp(port);
      await http.send(
        `GET http://shop.test/v1/query?str=a HTTP/1.1\r\nHost: x\r\n${H2C_OFFER}\r\n`,
      );
      expect(await http.until('"a"}')).toContain('HTTP/1.1 200 OK');
      http.socket.destroy();
    });

    it('is granted a WebSocket by its path', async () => {
      const port = await rig.start({ webSockets: webSockets() });
      const http = await rawHttp(port);
      await http.send(
        'GET http://shop.test/v1/chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n' +
          'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
      expect(statusesIn(await http.until('\r\n\r\n'))).toEqual([101]);
      http.socket.destroy();
    });
  });
});

describe('only the spelling of a path that its template has', () => {
  const rig = useRig();
  const OFFER =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

  /** Those among its spellings that are the path itself, with a query, a fragment or a host. */
  const same = (path: string) =>
    spellingsOf(path).filter((target) => {
      const read = readTarget(target);
      return read.path === path && read.authority !== '';
    });

  it.each([
    ['/', '/v1/query'],
    ['/api', '/api/v1/query'],
    ['/', '/v1/path/shelves/7'],
    ['/', '/v1/path/verbs/7:look'],
  ])('reaches an RPC: mounted at %s, %s', async (mount, path) => {
    const port = await rig.start({ mount });
    const literals = path.replace(/7.*/, '');
    for (const target of spellingsOf(path)) {
      const before = rig.echo.calls.length;
      await ask(port, target).catch(() => undefined);
      const isCalled = rig.echo.calls.length > before;
      const isSame = readTarget(target).path.startsWith(literals) || !isCalled;
      expect([target, isSame]).toEqual([target, true]);
    }
    expect((await ask(port, path)).status).toBe(200);
  });

  it.each(['/', '/api'])('is granted a WebSocket, mounted at %s', async (mount) => {
    const port = await rig.start({ mount, webSockets: webSockets({ admission: 1 }) });
    const path = `${mount.replace(/^\/$/, '')}/v1/chat`;
    const granted: string[] = [];
    for (const target of spellingsOf(path)) {
      const http = await rawHttp(port);
      await http.send(`GET ${target} HTTP/1.1\r\nHost: x\r\n${OFFER}\r\n`);
      const [status] = statusesIn(await http.until('\r\n\r\n'));
      if (status === 101) granted.push(target);
      http.socket.destroy();
    }
    expect(same(path)).toEqual(expect.arrayContaining(granted));
    expect(granted).toContain(path);
  });
});

describe('a path that is not served below the mount path', () => {
  const rig = useRig();
  const cors = {
    mount: '/api',
    middleware: [
      (_req: unknown, res: import('node:http').ServerResponse, next: () => void): void => {
        res.setHeader('access-control-allow-origin', 'https://shop.example');
        next();
      },
    ],
  };

  it.each([
    ['/api/nothing', 404],
    ['/api', 404],
    ['/elsewhere', 404],
    ['/api/v1/whole', 405],
  ])('%s is answered with the headers of the middleware and %d', async (path, status) => {
    const answer = await ask(await rig.start(cors), path);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([
      status,
      'https://shop.example',
    ]);
  });
});
