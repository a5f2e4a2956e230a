import { describe, expect, it } from '@jest/globals';
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
