import { once } from 'node:events';
import { type Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CREDENTIALS, gatekeeper } from '../fixtures/gatekeeper.fixture.js';
import { type RawHttp, rawHttp } from '../fixtures/raw-http.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { talk } from '../fixtures/talk.fixture.js';
import type { HttpRefusal } from '../errors.js';
import { BodyBudget } from './body-budget.js';
import { webSockets } from './websocket/web-sockets.js';

const headers = { ...CREDENTIALS, 'content-type': 'application/json' };
const post = (str: string) => ({ method: 'POST', headers, body: JSON.stringify({ str }) });

afterEach(() => void jest.restoreAllMocks());

function fiveSecondsLater(): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
}

/** Sends all of a body but its last byte. */
async function halfSent(port: number, bytes: number): Promise<RawHttp> {
  const client = await rawHttp(port);
  const head = `POST /v1/whole HTTP/1.1\r\nhost: x\r\nauthorization: ${CREDENTIALS.authorization}\r\ncontent-type: application/json\r\n`;
  const body = `{"str":"${'x'.repeat(bytes)}`;
  await client.send(`${head}content-length: ${body.length + 2}\r\n\r\n${body}`);
  return client;
}

/** Something that has waited for so long. */
function holder(budget: BodyBudget, ageMs = 0) {
  const held = {
    heldBytes: 0,
    heldSince: performance.now() - ageMs,
    error: undefined as HttpRefusal | undefined,
    take: (bytes: number): void => {
      budget.take(held, bytes);
      held.heldBytes += bytes;
    },
    drop: (): void => {
      const bytes = held.heldBytes;
      held.heldBytes = 0;
      budget.giveBack(held, bytes);
    },
    giveUp: (error: HttpRefusal): void => {
      held.error = error;
      held.drop();
    },
  };
  return held;
}

describe('the budget of bodies', () => {
  it('takes what fits, and something alone whatever its size', () => {
    const budget = new BodyBudget(10);
    const one = holder(budget);
    one.take(20);
    expect(() => holder(budget).take(1)).toThrow('too many bodies are being received');
    one.drop();
    one.take(4);
    one.take(6);
    expect(() => holder(budget).take(1)).toThrow('too many bodies are being received');
    expect(budget.used).toBe(10);
  });

  it('ends nobody who has given back what was taken', () => {
    const budget = new BodyBudget(10);
    const [done, late] = [holder(budget, 6_000), holder(budget)];
    done.take(1);
    done.drop();
    late.take(10);
    expect(() => holder(budget).take(1)).toThrow('too many bodies are being received');
    expect(done.error).toBeUndefined();
  });

  it('makes room by dropping the largest of those that have waited for 5 s', () => {
    const budget = new BodyBudget(10);
    const [small, late, most] = [holder(budget, 6_000), holder(budget), holder(budget, 6_000)];
    small.take(1);
    late.take(5);
    most.take(3);
    holder(budget).take(4);
    expect([small, late, most].map(({ error }) => error?.status.message)).toEqual([
      undefined,
      undefined,
      'request body: too many bodies are being received; try again later',
    ]);
    expect(() => most.take(1)).not.toThrow();
    expect(() => holder(budget).take(6)).toThrow('too many bodies');
    expect(budget.used).toBe(9);
  });

  it('refuses the largest one itself, if that asks for more', () => {
    const budget = new BodyBudget(10);
    const [most, other] = [holder(budget, 6_000), holder(budget, 6_000)];
    most.take(6);
    other.take(4);
    expect(() => most.take(1)).toThrow('too many bodies are being received');
    expect(other.error).toBeUndefined();
  });
});

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const keeper = gatekeeper();
  const rig = useRig(transport, [keeper.interceptor]);
  const options = { maxBodyBytes: 40_000, maxBodyBytesInAll: 60_000 };

  it('a body that exceeds what may wait in all is refused with 503, and the others go on', async () => {
    const port = await rig.start(options);
    const first = await halfSent(port, 30_000);
    const second = await halfSent(port, 25_000);
    // Until both have arrived, a third one fits.
    const third = async () => (await ask(port, '/v1/whole', post('x'.repeat(20_000)))).status;
    while ((await third()) === 200);
    expect(await ask(port, '/v1/whole', post('x'.repeat(20_000)))).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      json: {
        code: 'UNAVAILABLE',
        detail: 'request body: too many bodies are being received; try again later',
      },
    });
    expect((await ask(port, '/v1/whole', post('small'))).status).toBe(200);
    await first.send('"}');
    expect(await first.until('}')).toMatch(/^HTTP\/1\.1 200 /);
    second.socket.destroy();
    while ((await third()) !== 200);
    first.socket.destroy();
  });

  it('bodies that have stopped for 5 s do not keep others out', async () => {
    const port = await rig.start(options);
    const stopped = await halfSent(port, 35_000);
    const third = async () => (await ask(port, '/v1/whole', post('x'.repeat(30_000)))).status;
    while ((await third()) === 200);
    fiveSecondsLater();
    expect(await third()).toBe(200);
    expect(await stopped.until('\r\n\r\n{')).toMatch(/^HTTP\/1\.1 503 /);
    stopped.socket.destroy();
  });

  it('a body that its caller gives up, or that is refused, counts no longer', async () => {
    const port = await rig.start({ ...options, bodyTimeout: 200 });
    for (let round = 0; round < 5; round += 1) {
      const client = await halfSent(port, 35_000);
      expect(await client.until('\r\n\r\n{')).toMatch(/^HTTP\/1\.1 408 /);
      client.socket.destroy();
      expect((await ask(port, '/v1/whole', { ...post(''), body: '{"nope":1}' })).status).toBe(400);
    }
    expect((await ask(port, '/v1/whole', post('x'.repeat(35_000)))).status).toBe(200);
  });

  it('bodies of callers who are not let in are not kept', async () => {
    const port = await rig.start({ maxBodyBytes: 2_000_000, maxBodyBytesInAll: 2_000_000 });
    const sockets: Socket[] = [];
    const answers: Promise<unknown>[] = [];
    for (let index = 0; index < 20; index += 1) {
      const client = await rawHttp(port);
      const { socket } = client;
      sockets.push(socket);
      socket.write(
        'POST /v1/whole HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n',
      );
      socket.write(' '.repeat(900_000));
      answers.push(client.until('who are you?'));
    }
    await Promise.all(answers);
    expect((await ask(port, '/v1/whole', post('x'.repeat(1_500_000)))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('the messages of a WebSocket', () => {
  const keeper = gatekeeper();
  const rig = useRig('in-process', [keeper.interceptor]);

  it('that a call does not take for 5 s do not keep bodies out', async () => {
    const port = await rig.start({
      maxBodyBytes: 40_000,
      maxBodyBytesInAll: 60_000,
      forwardHeaders: ['x-deaf'],
      webSockets: webSockets(),
    });
    const { ws, closed } = await talk(port, '/v1/chat', { headers: { ...headers, 'x-deaf': '1' } });
    ws.send(JSON.stringify({ padding: 'x'.repeat(39_000) }));
    ws.ping();
    await once(ws, 'pong');
    const body = async () => (await ask(port, '/v1/whole', post('x'.repeat(30_000)))).status;
    expect(await body()).toBe(503);
    fiveSecondsLater();
    expect(await body()).toBe(200);
    expect(await closed).toEqual([4014, 'UNAVAILABLE']);
  });

  it('count until the call has taken them', async () => {
    const port = await rig.start({
      maxBodyBytes: 40_000,
      maxBodyBytesInAll: 60_000,
      webSockets: webSockets(),
    });
    const { ws, closed, received } = await talk(port, '/v1/chat', { headers });
    for (let n = 1; n <= 20; n += 1) {
      ws.send(JSON.stringify({ padding: 'x'.repeat(39_000) }));
      await received(n);
    }
    expect((await ask(port, '/v1/whole', post('x'.repeat(35_000)))).status).toBe(200);
    ws.send('');
    expect(await closed).toEqual([1000, 'OK']);
  });

  it('that wait count as bodies do, and no longer when it is closed', async () => {
    let letIn = (): void => {};
    keeper.hold(new Promise((resolve) => (letIn = resolve)));
    const port = await rig.start({
      maxBodyBytes: 40_000,
      maxBodyBytesInAll: 60_000,
      webSockets: webSockets({ admission: 1 }),
    });
    const first = await talk(port, '/v1/chat', { headers });
    const second = await talk(port, '/v1/chat', { headers });
    first.ws.send(JSON.stringify({ number: 1, padding: 'x'.repeat(39_000) }));
    first.ws.ping();
    await once(first.ws, 'pong');
    second.ws.send(JSON.stringify({ number: 2, padding: 'x'.repeat(39_000) }));
    expect(await second.closed).toEqual([4014, 'UNAVAILABLE']);
    first.ws.close();
    await first.closed;
    const third = await talk(port, '/v1/chat', { headers });
    keeper.hold(undefined);
    letIn();
    third.ws.send(JSON.stringify({ number: 3, padding: 'x'.repeat(39_000) }));
    await third.received(1);
    expect(third.frames).toEqual([expect.stringMatching(/^\{"result":\{"number":3,/)]);
    third.ws.close();
  });
});
