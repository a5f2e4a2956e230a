import type { IncomingMessage } from 'node:http';
import { Code } from '@apix/contracts';
import { notedRequestError } from '@apix/contracts/internal';
import { unreadableValues } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { refusal } from '../fixtures/talk.fixture.js';
import type { Upstream } from '../upstream/upstream.js';
import type { GatewayOptions, Middleware } from './gateway-options.js';
import { webSockets } from './websocket/web-sockets.js';

const rig = useRig();
const INTERNAL = { status: 500, json: { code: 'INTERNAL', detail: 'internal error' } };

/** An object that passes for a StatusError. */
const marked = (content: object): object => ({
  [Symbol.for('apix.StatusError')]: true,
  ...content,
});

const VALUES = [
  ...unreadableValues(),
  ['a status error without details', marked({ code: Code.NOT_FOUND, message: 'm' })],
  ['a status error without a code', marked({ message: 'm', details: [] })],
  ['a status error with a code of its own', marked({ code: 99, message: 'm', details: [] })],
  ['a status error that is OK', marked({ code: Code.OK, message: 'm', details: [] })],
  [
    'a status error whose message is a symbol',
    marked({ code: Code.NOT_FOUND, message: Symbol('m'), details: [] }),
  ],
] as const;

const UPSTREAM: Omit<Upstream, 'open'> = {
  target: 'nobody',
  isSecure: true,
  state: 'ready',
  waitForReady: () => Promise.resolve(),
  close: () => {},
};

type Failing = (fail: () => never) => readonly [GatewayOptions, Upstream?];

/** Code of a user that the gateway calls on behalf of every request. */
const CALLED: readonly (readonly [string, Failing])[] = [
  ['middleware', (fail) => [{ middleware: [fail] }]],
  ['async middleware', (fail) => [{ middleware: [() => Promise.resolve().then(fail)] }]],
  ['an upstream', (open) => [{}, { ...UPSTREAM, open }]],
];

describe.each(CALLED)('what %s throws', (_what, failing) => {
  it.each(VALUES)('is answered with 500 when it is %s', async (_kind, thrown) => {
    const [options, upstream] = failing(() => {
      throw thrown;
    });
    const port = await rig.start({ webSockets: webSockets(), ...options }, upstream);
    expect(await ask(port, '/v1/query')).toMatchObject(INTERNAL);
    expect(await refusal(port, '/v1/chat')).toMatchObject(INTERNAL);
  });
});

it('What the gateway answers with 500 is noted on the request, for its event', async () => {
  const thrown = new RangeError('cannot be decoded');
  const requests: IncomingMessage[] = [];
  const open = (): never => {
    throw thrown;
  };
  const keep: Middleware = (req, _res, next) => {
    requests.push(req);
    next();
  };
  const port = await rig.start({ middleware: [keep] }, { ...UPSTREAM, open });
  expect(await ask(port, '/v1/query')).toMatchObject(INTERNAL);
  expect(requests.map(notedRequestError)).toEqual([{ error: thrown }]);
});

it('What a server refuses is not noted again', async () => {
  const requests: IncomingMessage[] = [];
  const keep: Middleware = (req, _res, next) => {
    requests.push(req);
    next();
  };
  const port = await rig.start({ middleware: [keep] });
  expect(await ask(port, '/v1/nothing')).toMatchObject({ status: 404 });
  expect(requests.map(notedRequestError)).toEqual([undefined]);
});

const PASSED_ON = VALUES.filter(([, thrown]) => thrown !== undefined && thrown !== null);

describe('what middleware passes on', () => {
  it.each(PASSED_ON)('is answered with 500 when it is %s', async (_kind, thrown) => {
    const port = await rig.start({ middleware: [(_req, _res, next) => next(thrown)] });
    expect(await ask(port, '/v1/query')).toMatchObject(INTERNAL);
  });
});

describe('what the function for origins throws', () => {
  it.each(VALUES)('is answered with 500 when it is %s', async (_kind, thrown) => {
    const origins = (): never => {
      throw thrown;
    };
    const port = await rig.start({ webSockets: webSockets({ origins }) });
    const headers = { origin: 'https://a.example' };
    expect(await refusal(port, '/v1/chat', { headers })).toMatchObject(INTERNAL);
  });
});
