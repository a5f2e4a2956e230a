import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  NEEDY_RULES,
  type NeedyServer,
  startNeedyServer,
} from '../fixtures/needy-server.fixture.js';
import { needy } from '../../../proto/src/message/needy.fixture.js';
import { upstreamOf } from '../fixtures/rig.fixture.js';
import { type Ask, type Served, ask, serve } from '../fixtures/serve.fixture.js';
import { talk } from '../fixtures/talk.fixture.js';
import { Gateway } from '../http/gateway.js';
import { buildOpenApi } from '../openapi/build-document.js';
import { webSockets } from '../http/websocket/web-sockets.js';
import type { Upstream } from '../upstream/upstream.js';

const json = (value: unknown, method = 'POST'): Ask => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
const form = (body: string): Ask => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
});

const NAMED = { orderName: 'a' };

describe.each(['in-process', 'network', 'http2'] as const)('a required field: %s', (transport) => {
  let server: NeedyServer;
  let upstream: Upstream;
  let gateway: Gateway;
  let served: Served;
  beforeAll(async () => {
    server = await startNeedyServer();
    upstream = upstreamOf(transport, server.endpoint, server.door);
    gateway = new Gateway(needy, upstream, {
      rules: NEEDY_RULES,
      forms: true,
      webSockets: webSockets(),
    });
    served = await serve(gateway.handle);
    gateway.serveUpgrades(served.server);
  });
  afterEach(() => {
    server.calls.length = 0;
    server.reply = (request) => request;
  });
  afterAll(async () => {
    await gateway.closeWebSockets();
    await served.close();
    upstream.close();
    server.stop();
  });

  it.each<[string, string, Ask, string, string]>([
    ['a body', '/orders', json({}), '$.orderName', 'orderName'],
    ['an empty body', '/orders', json(''), '$.orderName', 'orderName'],
    ['a body with null', '/orders', json({ orderName: null }), '$.orderName', 'orderName'],
    ['a nested message', '/orders', json({ ...NAMED, part: {} }), '$.part.skuCode', 'part.skuCode'],
    [
      'a list',
      '/orders',
      json({ ...NAMED, parts: [{ skuCode: '' }, {}] }),
      '$.parts[1].skuCode',
      'parts[1].skuCode',
    ],
    [
      'a map',
      '/orders',
      json({ ...NAMED, byKey: { 'a b': {} } }),
      '$.byKey["a b"].skuCode',
      'byKey["a b"].skuCode',
    ],
    ['a oneof', '/orders', json({ ...NAMED, chosen: {} }), '$.chosen.skuCode', 'chosen.skuCode'],
    ['an edition', '/edits', json({}), '$.orderName', 'orderName'],
    [
      'a message of an edition',
      '/edits',
      json({ ...NAMED, part: {} }),
      '$.part.skuCode',
      'part.skuCode',
    ],
    ['a body beside a path', '/orders/a', json({ part: {} }), '$.part.skuCode', 'part.skuCode'],
    ['a stream of answers', '/watch', json({}), '$.orderName', 'orderName'],
  ])('is a place in %s', async (_what, path, request, place, field) => {
    const detail = `request body, ${place}: the required field is not set`;
    const { status, json: problem } = await ask(served.port, path, request);
    expect(status).toBe(400);
    expect(problem).toMatchObject({
      code: 'INVALID_ARGUMENT',
      detail,
      errors: [{ field, detail }],
    });
    expect(server.calls).toEqual([]);
  });

  it.each<[string, string, Ask, string]>([
    ['a query', '/orders?note=n', {}, 'orderName'],
    ['no query', '/orders', {}, 'orderName'],
    ['a query with a message', '/orders/1?note=n', {}, 'orderName'],
    ['a query of a stream', '/watch?note=n', {}, 'orderName'],
    ['a form', '/orders', form('note=n'), 'orderName'],
    ['a body that is a field', '/orders', json({ skuCode: '1' }, 'PUT'), 'orderName'],
    ['a body that is a field with too little', '/orders/a', json({}, 'PUT'), 'part.skuCode'],
  ])('is named, missing in %s', async (_what, path, request, field) => {
    const detail = `$.${field}: the required field is not set`;
    const { status, json: problem } = await ask(served.port, path, request);
    expect(status).toBe(400);
    expect(problem).toMatchObject({ detail, errors: [{ field, detail }] });
    expect(server.calls).toEqual([]);
  });

  it.each<[string, string, Ask, unknown]>([
    ['a body', '/orders', json({ orderName: '' }), { orderName: '' }],
    ['a path', '/orders/a', json({}), NAMED],
    ['a query', '/orders?orderName=', {}, { orderName: '' }],
    [
      'a body, of which a part is answered',
      '/orders:part',
      json({ ...NAMED, part: { skuCode: '1' } }),
      { skuCode: '1' },
    ],
    ['a path and a query', '/orders/1?orderName=a', {}, { ...NAMED, part: { skuCode: '1' } }],
    ['a form', '/orders', form('order_name=a'), NAMED],
    [
      'a path and a body',
      '/orders/a',
      json({ skuCode: '1' }, 'PUT'),
      { ...NAMED, part: { skuCode: '1' } },
    ],
    [
      'a query and a body',
      '/orders?order_name=a',
      json({ skuCode: '1' }, 'PUT'),
      { ...NAMED, part: { skuCode: '1' } },
    ],
  ])('may be set by %s', async (_what, path, request, answer) => {
    const { status, json: body } = await ask(served.port, path, request);
    expect([status, body]).toEqual([200, answer]);
  });

  it.each(['/sum', '/talk', '/talk?note=n'])('ends a WebSocket at %s', async (path) => {
    const { ws, frames, closed } = await talk(served.port, path);
    ws.send(JSON.stringify(NAMED));
    ws.send('{"part":{"skuCode":"1"}}');
    expect(await closed).toEqual([4003, 'INVALID_ARGUMENT']);
    const detail = 'request body, $.orderName: the required field is not set';
    expect(JSON.parse(String(frames.at(-1)))).toEqual({
      error: expect.objectContaining({ detail }),
    });
  });

  it('may be set for each message of a WebSocket by its path or query', async () => {
    for (const path of ['/talk/a', '/talk?order_name=a']) {
      const { ws, frames, closed } = await talk(served.port, path);
      ws.send('{"note":"n"}');
      ws.send('');
      expect(await closed).toEqual([1000, 'OK']);
      expect(frames).toEqual(['{"result":{"orderName":"a","note":"n"}}']);
    }
  });

  it('is required in the document, and in its examples', () => {
    const { bindings, prefixOf: prefix } = gateway;
    const { paths, components } = buildOpenApi(
      { protos: needy, bindings, prefix, transcoding: {}, policies: undefined },
      { info: {} },
    );
    expect(components.schemas['needy.Part']).toMatchObject({ required: ['skuCode'] });
    expect(paths).toMatchObject({
      '/orders': {
        get: {
          parameters: expect.arrayContaining([
            expect.objectContaining({ name: 'orderName', required: true }),
          ]),
        },
        post: {
          requestBody: {
            content: { 'application/json': { example: { orderName: expect.any(String) } } },
          },
        },
      },
    });
  });

  it.each(['/orders', '/watch'])('is an error of the server in an answer of %s', async (path) => {
    server.reply = () => ({ note: 'no name' });
    const { status, text } = await ask(served.port, path, json(NAMED));
    expect([status, text]).toEqual([500, expect.stringContaining('"code":"INTERNAL"')]);
    expect(text).not.toContain('no name');
  });
});
