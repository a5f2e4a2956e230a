import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../../tools/testing/until.js';
import { useRig } from '../../fixtures/rig.fixture.js';
import { ask, serve } from '../../fixtures/serve.fixture.js';
import { handshake, refusal, talk } from '../../fixtures/talk.fixture.js';
import type { AllowedOrigins } from '../../request/origins.js';
import { Gateway } from '../gateway.js';
import type { GatewayOptions } from '../gateway-options.js';
import { type WebSocketOptions, webSockets } from './web-sockets.js';

const rig = useRig();
const here = useRig('in-process');

const start = (options: WebSocketOptions = {}, more: GatewayOptions = {}) =>
  rig.start({ webSockets: webSockets(options), forwardHeaders: told, ...more });
const told = ['x-deny', 'x-deaf', 'x-flood'];

describe('streams of requests over WebSocket', () => {
  it('are one frame of JSON a message in both directions, and end with 1000', async () => {
    const { ws, frames, received, closed } = await talk(await start(), '/v1/chat');
    ws.send('{"number":1}');
    await received(1);
    ws.send('{"number":2}');
    ws.send('');
    expect(await closed).toEqual([1000, 'OK']);
    expect(frames).toEqual(['{"result":{"number":1}}', '{"result":{"number":2}}']);
  });

  it('with one response answer when an empty frame has ended the requests', async () => {
    const { ws, frames, closed } = await talk(await start(), '/v1/sum');
    for (const number of [1, 2, 3]) ws.send(JSON.stringify({ number }));
    ws.send('');
    expect(await closed).toEqual([1000, 'OK']);
    expect(frames).toEqual(['{"result":{"number":6}}']);
  });

  it('take fields of every message from the query', async () => {
    const { ws, frames, closed } = await talk(await start(), '/v1/chat?padding=p');
    ws.send('{"number":1}');
    ws.send('{"number":2}');
    ws.send('');
    await closed;
    expect(frames).toEqual([
      '{"result":{"number":1,"padding":"p"}}',
      '{"result":{"number":2,"padding":"p"}}',
    ]);
  });

  it('that fail send the error last and close with 4000 plus the code', async () => {
    const { ws, frames, closed } = await talk(await start(), '/v1/chat');
    ws.send('{"number":-9}');
    expect(await closed).toEqual([4009, 'FAILED_PRECONDITION']);
    expect(JSON.parse(String(frames.at(-1)))).toEqual({
      error: expect.objectContaining({ code: 'FAILED_PRECONDITION', detail: 'told to fail' }),
    });
  });

  it.each([
    ['{"number":"x"}', /^request body, \$\.number: /],
    ['{"nope":1}', /^request body, \$\.nope: /],
    ['{', /^request body, \$/],
    [Buffer.from('{}'), /send them as text frames/],
  ])('that break off at the message %p say where it is wrong', async (frame, detail) => {
    const before = rig.echo.cancelled();
    const { ws, frames, closed } = await talk(await start(), '/v1/chat');
    ws.send(frame);
    expect(await closed).toEqual([4003, 'INVALID_ARGUMENT']);
    const { error } = JSON.parse(String(frames.at(-1))) as { error: { detail: string } };
    expect(error.detail).toMatch(detail);
    await until(() => rig.echo.cancelled() > before);
  });

  it('refuse a message after the end of the requests', async () => {
    const { ws, frames, closed } = await talk(await start(), '/v1/sum');
    ws.send('');
    ws.send('{}');
    expect((await closed)[0]).toBe(4003);
    const { error } = JSON.parse(String(frames.at(-1))) as { error: { detail: string } };
    expect(error.detail).toBe('a message was sent after the end of the requests');
  });

  it('refuse messages beyond the limit with 1009 and cancel the call', async () => {
    const before = rig.echo.cancelled();
    const { ws, closed } = await talk(await start({ maxMessageBytes: 100 }), '/v1/chat');
    ws.send(JSON.stringify({ padding: 'x'.repeat(100) }));
    expect((await closed)[0]).toBe(1009);
    await until(() => rig.echo.cancelled() > before);
  });

  it('are cancelled when the client closes', async () => {
    const before = rig.echo.cancelled();
    const { ws, received } = await talk(await start(), '/v1/chat');
    ws.send('{"number":1}');
    await received(1);
    ws.close();
    await until(() => rig.echo.cancelled() > before);
    expect(rig.echo.cancelled()).toBe(before + 1);
  });

  it('end with their deadline', async () => {
    const headers = { 'grpc-timeout': '50m' };
    const { closed } = await talk(await start({ admission: 1 }), '/v1/chat', { headers });
    expect(await closed).toEqual([4004, 'DEADLINE_EXCEEDED']);
  });
});

describe('a denial', () => {
  it.each([
    [16, 401, { 'www-authenticate': 'Bearer' }],
    [7, 403, {}],
  ])('with code %d is HTTP status %d before the upgrade', async (code, status, headers) => {
    const answer = await refusal(await start({ admission: '5s' }), '/v1/chat', {
      headers: { 'x-deny': String(code) },
    });
    expect(answer).toMatchObject({ status, headers, json: { status, detail: 'told to fail' } });
  });

  it('does not keep others waiting for longer than the option says', async () => {
    const { ws, closed } = await talk(await start({ admission: 1 }), '/v1/chat');
    ws.send('');
    expect(await closed).toEqual([1000, 'OK']);
  });
});

describe('a handshake', () => {
  it.each<[AllowedOrigins, string, boolean]>([
    ['same', 'http://127.0.0.1:PORT', true],
    ['same', 'http://evil.example', false],
    ['same', 'null', false],
    ['any', 'http://evil.example', true],
    [['https://shop.example'], 'https://shop.example', true],
    [['https://shop.example'], 'https://shop.example.evil.example', false],
    [(origin: string) => origin.endsWith('.example'), 'https://a.example', true],
    // A promise is not a yes, whatever it resolves with.
    [(() => Promise.resolve(true)) as never, 'https://a.example', false],
    [(() => 'no') as never, 'https://a.example', false],
  ])('for origins %p is granted to a page of %s: %p', async (origins, page, granted) => {
    const port = await start({ origins });
    const options = { headers: { origin: page.replace('PORT', String(port)) } };
    const { status } = await handshake(port, '/v1/chat', options);
    expect(status).toBe(granted ? 101 : 403);
  });

  it.each([
    ['/v1/chat?nope=1', {}, [], 400, /query parameter "nope"/],
    ['/v1/chat?number=x', {}, [], 400, /query parameter "number"/],
    ['/v1/chat', { 'grpc-timeout': 'soon' }, [], 400, /header Grpc-Timeout/],
    ['/v1/chat', {}, ['bearer'], 401, /must be followed by a token/],
    ['/v1/chat', { authorization: 'Bearer a' }, ['bearer', 'b'], 401, /and as a subprotocol/],
    ['/v1/nothing', {}, [], 404, /nothing is served/],
  ])('for %s with %j and %j is refused', async (path, headers, protocols, status, detail) => {
    const answer = await refusal(await start(), path, { headers }, protocols);
    expect(answer).toEqual({
      status,
      headers: expect.anything(),
      json: expect.objectContaining({ detail: expect.stringMatching(detail) }),
    });
  });

  it.each([
    [{ 'sec-websocket-version': '12' }, 426, '13'],
    [{ 'sec-websocket-version': '13' }, 400, undefined],
    [{ 'sec-websocket-version': '13', 'sec-websocket-key': 'short' }, 400, undefined],
  ])(
    'that RFC 6455 does not allow, with %j, is refused with %d',
    async (headers, status, version) => {
      const answer = await ask(await start(), '/v1/chat', {
        headers: { connection: 'upgrade', upgrade: 'websocket', ...headers },
      });
      expect([answer.status, answer.headers['sec-websocket-version']]).toEqual([status, version]);
    },
  );

  it('takes a token as a subprotocol, for browsers', async () => {
    const port = await start({}, { middleware: [] });
    const { ws } = await talk(port, '/v1/chat', {}, ['bearer', 'a.b-c_d']);
    expect(ws.protocol).toBe('bearer');
    await until(() => rig.echo.metadata().get('authorization')[0] === 'Bearer a.b-c_d');
  });

  it('runs the middleware, and tells the request id', async () => {
    const port = await start(
      {},
      {
        middleware: [
          (req, res, next) => {
            if (req.headers['x-blocked'] === undefined) next();
            else res.writeHead(429, { 'content-type': 'application/json' }).end('{}');
          },
        ],
      },
    );
    expect((await refusal(port, '/v1/chat', { headers: { 'x-blocked': '1' } })).status).toBe(429);
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'GET /v1/chat HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${'A'.repeat(22)}==\r\nx-request-id: r1\r\n\r\n`,
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 101 [^]*x-request-id: r1\r\n/);
    socket.destroy();
  });

  it('for a method without a stream of requests is an ordinary request', async () => {
    const answer = await ask(await start(), '/v1/query?str=a', {
      headers: { connection: 'upgrade', upgrade: 'websocket' },
    });
    expect([answer.status, answer.json]).toEqual([200, { str: 'a' }]);
  });

  it('for another protocol is an ordinary request', async () => {
    const answer = await ask(await start(), '/v1/query?str=a', {
      headers: { connection: 'upgrade', upgrade: 'h2c' },
    });
    expect([answer.status, answer.json]).toEqual([200, { str: 'a' }]);
  });

  it('is asked for where a stream of requests comes over plain HTTP', async () => {
    const answer = await ask(await start(), '/v1/chat');
    expect([answer.status, answer.json]).toMatchObject([
      426,
      { detail: 'this method takes a stream of requests: connect with a WebSocket' },
    ]);
    // Upgrade is of one hop, which Connection has to say (RFC 9110 §7.8).
    expect(answer.headers).toMatchObject({ upgrade: 'websocket', connection: 'upgrade' });
  });
});

describe('backpressure', () => {
  it('holds back a server that is faster than the client reads', async () => {
    const before = rig.echo.written();
    const { ws } = await talk(await start(), '/v1/chat', { headers: { 'x-flood': '100000' } });
    ws.pause();
    await settled(rig.echo.written);
    // 100 MB were asked for; what was written fits into the buffers between the two.
    expect(rig.echo.written() - before).toBeLessThan(30_000);
    ws.terminate();
  });

  it('holds back a client that is faster than the server reads', async () => {
    const { ws } = await talk(await start(), '/v1/chat', { headers: { 'x-deaf': '1' } });
    const frame = JSON.stringify({ padding: 'x'.repeat(10_000) });
    for (let sent = 0; sent < 5_000; sent += 1) ws.send(frame);
    await settled(() => ws.bufferedAmount);
    // 50 MB were sent; most of them never left the client.
    expect(ws.bufferedAmount).toBeGreaterThan(25_000_000);
    ws.terminate();
  });

  it('does not keep a held back client from the end', async () => {
    const { ws, closed } = await talk(await start(), '/v1/chat', {
      headers: { 'x-deaf': '1', 'grpc-timeout': '500m' },
    });
    const frame = JSON.stringify({ padding: 'x'.repeat(10_000) });
    for (let sent = 0; sent < 500; sent += 1) ws.send(frame);
    expect(await closed).toEqual([4004, 'DEADLINE_EXCEEDED']);
  });

  it.each(['network', 'in-process'] as const)(
    'loses no message to a client that reads late: %s',
    async (transport) => {
      const to = transport === 'network' ? rig : here;
      const port = await to.start({ webSockets: webSockets({}), forwardHeaders: told });
      const { ws, frames, closed } = await talk(port, '/v1/chat', {
        headers: { 'x-flood': '10000' },
      });
      ws.pause();
      await settled(to.echo.written);
      ws.resume();
      expect(await closed).toEqual([1000, 'OK']);
      expect(frames.length).toBe(10_000);
    },
    30_000,
  );

  it('loses no message on the way', async () => {
    const { frames, closed } = await talk(await start(), '/v1/chat', {
      headers: { 'x-flood': '5000' },
    });
    await closed;
    expect(frames.length).toBe(5_000);
    expect(frames.at(-1)).toMatch(/^\{"result":\{"number":5000,/);
  });
});

describe('a gateway that goes away', () => {
  const serving = async (admission: number) => {
    const gateway = new Gateway(rig.registry, rig.upstream, {
      webSockets: webSockets({ admission }),
    });
    const served = await serve(gateway.handle);
    gateway.serveUpgrades(served.server);
    return { gateway, served };
  };

  it('closes its WebSockets with 1001', async () => {
    const { gateway, served } = await serving(1);
    const { closed } = await talk(served.port, '/v1/chat');
    await gateway.closeWebSockets();
    expect(await closed).toEqual([1001, 'going away']);
    expect(gateway.counts).toEqual({ active: 0, served: new Map([[101, 1]]) });
    await served.close();
  });

  it('refuses the one that waits to be granted', async () => {
    const { gateway, served } = await serving(60_000);
    const answer = refusal(served.port, '/v1/chat');
    await until(() => gateway.counts.active === 1);
    await gateway.closeWebSockets();
    expect((await answer).status).toBe(503);
    await served.close();
  });

  it('does not wait for a client that does not answer', async () => {
    const { gateway, served } = await serving(1);
    const { ws, closed } = await talk(served.port, '/v1/chat');
    ws.pause();
    await gateway.closeWebSockets();
    expect(gateway.counts.active).toBe(0);
    ws.resume();
    expect((await closed)[0]).toBe(1001);
    await served.close();
  });
});

describe('heartbeats', () => {
  it('are pings', async () => {
    const { ws } = await talk(await start({}, { heartbeat: 20 }), '/v1/chat');
    await once(ws, 'ping');
    await once(ws, 'ping');
    expect(ws.readyState).toBe(ws.OPEN);
  });

  it('that nobody answers end the call', async () => {
    const before = rig.echo.cancelled();
    const port = await start({}, { heartbeat: 20 });
    const { closed } = await talk(port, '/v1/chat', { autoPong: false });
    expect((await closed)[0]).toBe(1006);
    await until(() => rig.echo.cancelled() > before);
  });
});

/** Waits until a figure has stood still for half a second. */
async function settled(figure: () => number): Promise<void> {
  let last = -1;
  for (let still = 0; still < 5; still += 1) {
    if (last !== figure()) still = 0;
    last = figure();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
