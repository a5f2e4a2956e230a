import { Code, StatusError, type CallContext } from '@apix/contracts';
import { afterEach, expect, it } from '@jest/globals';
import type { Gateway } from '../http/gateway.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { webSockets } from '../websocket/index.js';
import { networkUpstream } from './network-upstream.js';
import type { Upstream } from './upstream.js';

const rig = useRig();
const open: Upstream[] = [];
const asked: CallContext[] = [];
afterEach(() => {
  for (const upstream of open.splice(0)) upstream.close();
  asked.splice(0);
  rig.echo.calls.splice(0);
});

/** Lets callers with credentials in, at once or later. */
function admission(isLater: boolean) {
  const decide = (call: CallContext): void => {
    asked.push(call);
    if (call.metadata.get('authorization')[0] === 'Bearer good') return;
    throw new StatusError(Code.UNAUTHENTICATED, 'who are you?');
  };
  const later = async (call: CallContext): Promise<void> => {
    await new Promise(setImmediate);
    decide(call);
  };
  return { admit: isLater ? later : decide };
}

async function start(isLater: boolean, options: ConstructorParameters<typeof Gateway>[2] = {}) {
  const { endpoint } = rig.echo;
  const upstream = networkUpstream({ endpoint, admission: admission(isLater) });
  open.push(upstream);
  return rig.start(options, upstream);
}

const GOOD = { authorization: 'Bearer good' };
const JSON_TYPE = { 'content-type': 'application/json' };

it.each([
  ['at once', false],
  ['later', true],
])('a caller that is let in %s has the answer of the server', async (_when, isLater) => {
  const port = await start(isLater);
  const got = await ask(port, '/v1/query?str=a', { headers: GOOD });
  expect([got.status, got.json]).toEqual([200, { str: 'a' }]);
  const body = JSON.stringify({ str: 'b' });
  const headers = { ...GOOD, ...JSON_TYPE };
  const posted = await ask(port, '/v1/whole', { method: 'POST', headers, body });
  expect([posted.status, posted.json]).toEqual([200, { str: 'b' }]);
  const streamed = await ask(port, '/v1/count?to=3', { headers: GOOD });
  expect(streamed.text.trim().split('\n')).toHaveLength(3);
  expect(asked.map(({ method, forwarded }) => [method.name, forwarded])).toEqual([
    ['Query', true],
    ['Whole', true],
    ['Count', true],
  ]);
});

it.each([
  ['at once', false],
  ['later', true],
])('a caller that is refused %s costs the server nothing', async (_when, isLater) => {
  const port = await start(isLater);
  for (const path of ['/v1/query', '/v1/count?to=3']) {
    expect(await ask(port, path)).toMatchObject({
      status: 401,
      json: { detail: 'who are you?' },
    });
  }
  // Also before what is wrong with the body is looked at.
  const wrong = { method: 'POST', headers: JSON_TYPE, body: '{' };
  expect(await ask(port, '/v1/whole', wrong)).toMatchObject({ status: 401 });
  expect(rig.echo.calls).toEqual([]);
});

it('a request that cannot be read is refused without a call', async () => {
  const port = await start(true);
  const headers = { ...GOOD, ...JSON_TYPE };
  const wrong = { method: 'POST', headers, body: '{' };
  expect(await ask(port, '/v1/whole', wrong)).toMatchObject({ status: 400 });
  expect(await ask(port, '/v1/query?none=1', { headers: GOOD })).toMatchObject({
    status: 400,
  });
  expect(rig.echo.calls).toEqual([]);
});

it('a decision that never comes ends with the deadline of the call', async () => {
  const { endpoint } = rig.echo;
  let signal: AbortSignal | undefined;
  const admit = (call: CallContext): Promise<never> => {
    ({ signal } = call);
    return new Promise(() => {});
  };
  const upstream = networkUpstream({ endpoint, admission: { admit } });
  open.push(upstream);
  const port = await rig.start({ timeout: '50ms' }, upstream);
  expect(await ask(port, '/v1/query')).toMatchObject({ status: 504 });
  expect(signal?.aborted).toBe(true);
});

it('a decision that fails refuses the caller without giving the reason', async () => {
  const { endpoint } = rig.echo;
  const admit = (): never => {
    throw new TypeError('the secret of the house');
  };
  const upstream = networkUpstream({ endpoint, admission: { admit } });
  open.push(upstream);
  const answer = await ask(await rig.start({}, upstream), '/v1/query');
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('secret');
});

it('a stream of requests is decided about before it is a WebSocket', async () => {
  const port = await start(true, { webSockets: webSockets() });
  const handshake = (headers: Record<string, string>) => ({
    headers: {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  });
  expect(await ask(port, '/v1/chat', handshake({}))).toMatchObject({ status: 401 });
  expect(rig.echo.calls).toEqual([]);
});

/** Lets all callers in, and requests whose text is not "bad"; says so at once or later. */
function requestsAdmission(isLater: boolean) {
  const decide = (message: unknown): void => {
    const { str } = message as { readonly str?: string };
    if (str === 'bad') throw new StatusError(Code.PERMISSION_DENIED, 'not this one');
  };
  const later = async (message: unknown): Promise<void> => {
    await new Promise(setImmediate);
    decide(message);
  };
  const admit = (): never => {
    throw new Error('begin is called instead');
  };
  return { admit, begin: () => ({ onMessage: isLater ? later : decide }) };
}

it.each([
  ['at once', false],
  ['later', true],
])('a request that is refused %s does not reach the server', async (_when, isLater) => {
  const { endpoint } = rig.echo;
  const upstream = networkUpstream({ endpoint, admission: requestsAdmission(isLater) });
  open.push(upstream);
  const port = await rig.start({}, upstream);
  const post = (str: string) =>
    ask(port, '/v1/whole', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ str }) });
  expect(await post('bad')).toMatchObject({ status: 403, json: { detail: 'not this one' } });
  expect(await ask(port, '/v1/query?str=bad')).toMatchObject({ status: 403 });
  expect(rig.echo.calls).toEqual([]);
  expect(await post('good')).toMatchObject({ status: 200, json: { str: 'good' } });
  expect(await ask(port, '/v1/query?str=good')).toMatchObject({ status: 200 });
});
