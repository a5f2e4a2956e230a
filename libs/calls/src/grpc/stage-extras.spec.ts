import { Code, StatusError } from '@apix/contracts';
import { Metadata } from '@grpc/grpc-js';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { echoServer, stage } from './echo-server.fixture.js';

afterEach(() => {
  jest.restoreAllMocks();
});

type Answering = (
  call: { sendMetadata(headers: Metadata): void },
  done: (error: null, value: string) => void,
) => void;

/** A handler that answers with these headers. */
function answeringWith(headers: Metadata): Answering {
  return (call, done) => {
    call.sendMetadata(headers);
    done(null, 'a');
  };
}

function headersOf(pairs: Record<string, string>): Metadata {
  const headers = new Metadata();
  for (const [key, value] of Object.entries(pairs)) headers.set(key, value);
  return headers;
}

describe('the response headers of a stage and of the handler', () => {
  const log = stage('log', { onCall: (call) => call.setHeader('x-stage', '7') });

  it('are checked once, together, and leave those of the handler as they are', async () => {
    const read = jest.spyOn(Metadata.prototype, 'toJSON');
    const given = headersOf({ 'x-handler': '8', connection: 'close' });
    const { call } = await echoServer([log], { unary: answeringWith(given) });
    const { headers } = await call('unary');
    const checks = read.mock.results.filter(
      ({ value }) => typeof value === 'object' && value !== null && 'x-handler' in value,
    );
    expect(checks).toHaveLength(1);
    expect(headers?.getMap()).toMatchObject({ 'x-stage': '7', 'x-handler': '8' });
    expect(given.get('x-stage')).toEqual([]);
  });

  it.each<[string, unknown, object]>([
    ['nothing', null, { 'x-stage': '7' }],
    ['what is not metadata', { a: 1 }, { 'x-stage': '7' }],
    ['a stub of metadata', Object.create(Metadata.prototype), { 'x-stage': '7' }],
    [
      'metadata of a subclass with its own merge',
      Object.assign(headersOf({ 'x-handler': '8' }), {
        merge() {
          throw new Error('never called');
        },
      }),
      { 'x-stage': '7', 'x-handler': '8' },
    ],
  ])('arrive where the handler sends %s', async (_, given, expected) => {
    const { call } = await echoServer([log], { unary: answeringWith(given as Metadata) });
    const { code, headers } = await call('unary', { deadlineMs: 5_000 });
    expect([code, headers?.getMap()]).toEqual([Code.OK, expect.objectContaining(expected)]);
  });
});

/** Has every property, of which each is what `get` returns. */
function answering(get: () => unknown): never {
  return new Proxy({}, { has: () => true, get }) as never;
}

describe('what a stage returns at the end', () => {
  it('is awaited, for every kind of promise, so that its rejection is never unhandled', async () => {
    const then = jest.fn((_: unknown, reject: (reason: Error) => void) => reject(new Error('x')));
    const { call } = await echoServer([stage('log', { onEnd: () => answering(() => then) })]);
    expect((await call('unary')).code).toBe(Code.OK);
    expect(then).toHaveBeenCalledTimes(1);
  });

  it('may be impossible to look at', async () => {
    const unreadable = answering(() => {
      throw new Error('x');
    });
    const told: string[] = [];
    const { call } = await echoServer([
      stage('log', { onEnd: () => void told.push('log') }),
      stage('audit', { onEnd: () => unreadable }),
    ]);
    expect((await call('unary')).code).toBe(Code.OK);
    expect(told).toEqual(['log']);
  });
});

describe('a handler of streamed requests behind a stage with onNoMessage', () => {
  const denial = (): never => {
    throw new StatusError(Code.PERMISSION_DENIED, 'no');
  };
  const late = () => new Promise<void>((resolve) => setImmediate(resolve));
  const STREAMED = ['client_stream', 'bidi_stream'] as const;

  it.each(STREAMED)('of a %s starts when the first message has passed', async (kind) => {
    for (const onMessage of [() => {}, late]) {
      const { call } = await echoServer([stage('hold', { onMessage, onNoMessage: denial })]);
      const { code, messages } = await call(kind, { messages: ['a', 'b', 'c'] });
      expect([code, messages.join('+').toLowerCase()]).toEqual([Code.OK, 'a+b+c']);
    }
  });

  it.each(STREAMED)('of a %s does not start when the first is denied', async (kind) => {
    for (const onMessage of [denial, () => late().then(denial)]) {
      const { call, seen } = await echoServer([stage('hold', { onMessage, onNoMessage: denial })]);
      const { code, details } = await call(kind, { messages: ['a', 'b'] });
      expect([code, details, seen.handled]).toEqual([Code.PERMISSION_DENIED, 'no', 0]);
    }
  });

  it.each(STREAMED)('of a %s follows the hook when there is no message', async (kind) => {
    const closed = await echoServer([stage('hold', { onNoMessage: denial })]);
    const { code } = await closed.call(kind, { messages: [] });
    expect([code, closed.seen]).toEqual([Code.PERMISSION_DENIED, { decoded: 0, handled: 0 }]);
    const open = await echoServer([stage('hold', { onNoMessage: () => {} })]);
    expect((await open.call(kind, { messages: [] })).code).toBe(Code.OK);
    expect(open.seen.handled).toBe(1);
  });

  it('of a client_stream does not start for a caller that goes away first', async () => {
    const { call, seen } = await echoServer([
      stage('hold', { onMessage: () => new Promise<void>(() => {}), onNoMessage: denial }),
    ]);
    expect((await call('client_stream', { deadlineMs: 60 })).code).toBe(Code.DEADLINE_EXCEEDED);
    expect(seen.handled).toBe(0);
  });
});
