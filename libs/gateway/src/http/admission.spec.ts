import { beforeAll, describe, expect, it } from '@jest/globals';
import { CREDENTIALS, gatekeeper } from '../fixtures/gatekeeper.fixture.js';
import { rawHttp } from '../fixtures/raw-http.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Ask, ask } from '../fixtures/serve.fixture.js';
import { refusal, talk } from '../fixtures/talk.fixture.js';
import type { GatewayOptions } from './gateway-options.js';
import { webSockets } from './websocket/web-sockets.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (body: string, headers: Ask['headers'] = JSON_TYPE): Ask => ({
  method: 'POST',
  body,
  headers,
});
const form = post('nope=1', { 'content-type': 'application/x-www-form-urlencoded' });

/** What is wrong with a request, the request, and the status for callers who are let in. */
const BAD: readonly (readonly [what: string, path: string, how: Ask, status: number])[] = [
  ['a body that is not JSON', '/v1/whole', post('{"str":'), 400],
  ['a body with an unknown field', '/v1/whole', post('{"nope":1}'), 400],
  ['a large body with an unknown field', '/v1/whole', post(`{"nope":"${'x'.repeat(3e5)}"}`), 400],
  ['a bad body for one field', '/v1/parts/p/nested', post('{"nope":1}'), 400],
  ['a bad form', '/v1/whole', form, 400],
  ['a body beyond the limit', '/v1/whole', post('x'.repeat(600_000)), 413],
  ['another media type', '/v1/whole', post('{}', { 'content-type': 'text/plain' }), 415],
  ['a compressed body', '/v1/whole', post('{}', { 'content-encoding': 'gzip' }), 415],
  ['a body where the rule has none', '/v1/query', { ...post('{}'), method: 'GET' }, 400],
  ['an unknown query parameter', '/v1/query?nope=1', {}, 400],
  ['an unknown query parameter of a HEAD', '/v1/query?nope=1', { method: 'HEAD' }, 400],
  ['a value of another type in the query', '/v1/query?i32=x', {}, 400],
  ['an unknown query parameter beside a body', '/v1/parts/p/nested?nope=1', post('{}'), 400],
  ['an unknown query parameter of a stream', '/v1/count?nope=1', {}, 400],
  [
    'an unknown query parameter of a stream of events',
    '/v1/count?nope=1',
    { headers: { accept: 'text/event-stream' } },
    400,
  ],
];

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const keeper = gatekeeper();
  const rig = useRig(transport, [keeper.interceptor]);
  const start = (more: GatewayOptions = {}): Promise<number> =>
    rig.start({ forms: true, maxBodyBytes: 500_000, webSockets: webSockets(), ...more });

  // The time that a server has to refuse includes that of connecting to it.
  beforeAll(async () => {
    await rig.upstream.waitForReady(Date.now() + 5_000);
  });

  describe('a caller who is not let in gets 401', () => {
    it.each(BAD)('and not what is wrong with %s', async (_what, path, how) => {
      const answer = await ask(await start(), path, how);
      expect(answer.status).toBe(401);
      expect(answer.text).not.toMatch(/nope|body|content|parameter/);
    });

    it('before its body has come', async () => {
      const client = await rawHttp(await start());
      await client.send(
        'POST /v1/whole HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"str":',
      );
      expect(await client.until('who are you?')).toMatch(/^HTTP\/1\.1 401 [^]*connection: close/i);
      client.socket.destroy();
    });

    it('for a WebSocket too, and not what is wrong with its query', async () => {
      const { status, json } = await refusal(await start(), '/v1/chat?nope=1');
      expect([status, json]).toEqual([401, expect.objectContaining({ detail: 'who are you?' })]);
    });
  });

  describe('a caller who is let in gets', () => {
    it.each(BAD)('to know of %s', async (_what, path, how, status) => {
      const before = rig.echo.calls.length;
      const given = keeper.until(transport === 'in-process' ? 'CANCELLED' : 'UNIMPLEMENTED');
      const headers = { ...how.headers, ...CREDENTIALS };
      const answer = await ask(await start(), path, { ...how, headers });
      expect(answer.status).toBe(status);
      await given;
      expect(rig.echo.calls.length).toBe(before);
    });

    it('to know what is wrong with the query of a WebSocket', async () => {
      const { status, json } = await refusal(await start(), '/v1/chat?nope=1', {
        headers: CREDENTIALS,
      });
      expect([status, json]).toEqual([
        400,
        expect.objectContaining({ detail: expect.stringContaining('"nope"') }),
      ]);
    });

    it('an answer to a body of any size within the limit', async () => {
      const port = await start();
      for (const length of [1, 70_000, 400_000]) {
        const str = 'x'.repeat(length);
        const headers = { ...JSON_TYPE, ...CREDENTIALS };
        const answer = await ask(port, '/v1/whole', post(JSON.stringify({ str }), headers));
        expect(answer).toMatchObject({ status: 200, json: { str } });
      }
    });

    it('408 when the deadline passes before its body is complete', async () => {
      const client = await rawHttp(await start({ timeout: 150 }));
      await client.send(
        'POST /v1/whole HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
      );
      const answer = await client.until('\r\n\r\n{');
      expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*not complete at the deadline of the call/);
      client.socket.destroy();
    });
  });
});

describe('a call of this process', () => {
  const keeper = gatekeeper();
  const rig = useRig('in-process', [keeper.interceptor]);

  it('has no message of a WebSocket read before it is let in', async () => {
    let letIn!: () => void;
    keeper.hold(new Promise((resolve) => (letIn = resolve)));
    const port = await rig.start({ webSockets: webSockets({ admission: 1 }) });
    const { ws, frames, closed } = await talk(port, '/v1/chat');
    ws.send('{"nope":1}');
    await new Promise((pinged) => {
      ws.once('pong', pinged);
      ws.ping();
    });
    expect(frames).toEqual([]);
    letIn();
    keeper.hold(undefined);
    expect(await closed).toEqual([4016, 'UNAUTHENTICATED']);
  });
});
