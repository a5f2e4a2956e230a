import { Metadata } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  Code,
  type MethodKind,
  type BoundCallStage,
  type CallOutcome,
  StatusError,
} from '@apix/contracts';
import { KINDS, echoServer, stage } from './echo-server.fixture.js';

/** Half of a surrogate pair, as `slice` leaves it behind. */
const HALF = '😀'.slice(0, 1);
const LONG = 'x'.repeat(100_000);

type Done = (error: unknown, value?: string, trailers?: Metadata) => void;

interface HandlerCall {
  emit(event: 'error', error: unknown): void;
  sendMetadata(metadata: Metadata): void;
  write(text: string): void;
  end(trailers?: Metadata): void;
}

const callsBack = (kind: MethodKind): boolean => kind === 'unary' || kind === 'client_stream';

/** A handler that ends its call with an error; `begun`: after its headers. */
function failing(kind: MethodKind, error: unknown, begun: boolean) {
  return (call: HandlerCall, done: Done): void => {
    if (begun) call.sendMetadata(new Metadata());
    if (callsBack(kind)) done(error);
    else call.emit('error', error);
  };
}

function metadataOf(...pairs: readonly (readonly [string, string])[]): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of pairs) metadata.add(key, value);
  return metadata;
}

const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);

beforeAll(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
  process.on('uncaughtException', note).on('unhandledRejection', note);
});
afterAll(() => {
  jest.restoreAllMocks();
  process.off('uncaughtException', note).off('unhandledRejection', note);
});
afterEach(() => expect(uncaught.splice(0)).toEqual([]));

/** Makes a call, and sees that the connection serves a second one. */
async function answerOf(
  kind: MethodKind,
  stages: readonly BoundCallStage[],
  handler?: (call: HandlerCall, done: Done) => void,
) {
  const ends: CallOutcome[] = [];
  const log = stage('log', { onEnd: (_call, outcome) => void ends.push(outcome) });
  const bound = stages.map((one) => stage('authz', one));
  const calm: MethodKind = kind === 'unary' ? 'client_stream' : 'unary';
  const { call } = await echoServer([log, ...bound], handler && { [kind]: handler });
  const answer = await call(kind, { deadlineMs: 5_000 });
  const next = await call(calm, { deadlineMs: 5_000 });
  expect(ends).toHaveLength(2);
  return { ...answer, end: ends[0], next: next.code };
}

/** An error that a handler ends its call with, and what the caller then gets. */
type Row = readonly [what: string, error: object, code: Code, details: string | RegExp];

const WHY = ['x-why', 'policy'] as const;
const { ABORTED, UNKNOWN } = Code;
const error = (extra: object): object => ({ code: ABORTED, details: 'no', ...extra });

const ANSWERS: readonly Row[] = [
  ['a text cut inside a pair', error({ details: `no ${HALF}` }), ABORTED, 'no \ufffd'],
  ['a text of 100 kB', error({ details: LONG }), ABORTED, /^x{4087}…$/],
  ['a text of 100 kB of pairs', error({ details: '😀'.repeat(25_000) }), ABORTED, /^(😀){340}…$/u],
  [
    'trailers of a connection',
    error({ metadata: metadataOf(['connection', 'close']) }),
    ABORTED,
    'no',
  ],
  [
    'a trailer that HTTP/2 has once',
    error({ metadata: metadataOf(['etag', 'a'], ['etag', 'b']) }),
    ABORTED,
    'no',
  ],
  ['a length of its own', error({ metadata: metadataOf(['content-length', '7']) }), ABORTED, 'no'],
  [
    'another status in its trailers',
    error({ metadata: metadataOf(['grpc-status', '0']) }),
    ABORTED,
    'no',
  ],
  ['trailers of 100 kB', error({ metadata: metadataOf(['x-big', LONG]) }), ABORTED, 'no'],
  ['trailers that are no metadata', error({ metadata: { 'x-why': 'policy' } }), ABORTED, 'no'],
  ['a code that gRPC does not have', error({ code: 99 }), UNKNOWN, 'no'],
];

describe.each(KINDS)('a %s call', (kind) => {
  describe.each([
    ['at once', false],
    ['after its headers', true],
  ])('whose handler fails %s', (_, begun) => {
    it.each(ANSWERS)('with %s ends with a status', async (_what, given, code, details) => {
      const answer = await answerOf(kind, [], failing(kind, given, begun));
      expect(answer).toMatchObject({ code, details: expect.stringMatching(details), next: 0 });
      expect(answer.end).toMatchObject({ code, message: answer.details });
    });

    it('with trailers of which some cannot be sent keeps the others', async () => {
      const metadata = metadataOf(['connection', 'close'], WHY, ['x-big', LONG]);
      const { trailers } = await answerOf(kind, [], failing(kind, error({ metadata }), begun));
      expect(trailers?.get('x-why')).toEqual(['policy']);
      expect(trailers?.get('connection')).toEqual([]);
      expect(trailers?.get('x-big')).toEqual([]);
    });
  });

  it('whose handler ends well keeps what can be sent of its headers and trailers', async () => {
    const shared = metadataOf(['connection', 'close'], ['etag', 'a'], ['etag', 'b'], WHY);
    const handler = (call: HandlerCall, done: Done): void => {
      call.sendMetadata(shared);
      if (callsBack(kind)) done(null, 'well', shared);
      else {
        call.write('well');
        call.end(shared);
      }
    };
    const headerStage = {
      onCall: (call: Parameters<NonNullable<BoundCallStage['onCall']>>[0]) =>
        call.setHeader('x-stage', '1'),
    };
    const { code, messages, headers, trailers } = await answerOf(kind, [headerStage], handler);
    expect([code, messages]).toEqual([Code.OK, ['well']]);
    for (const got of [headers, trailers]) {
      expect([got?.get('x-why'), got?.get('etag')]).toEqual([['policy'], ['a, b']]);
    }
    expect([headers?.get('x-stage'), trailers?.get('x-stage')]).toEqual([['1'], []]);
    // The handler may send the same object with its next call.
    expect(shared.get('x-stage')).toEqual([]);
  });

  const denials: readonly [string, unknown, Code, string | RegExp][] = [
    ['a text cut inside a pair', new StatusError(ABORTED, `no ${HALF}`), ABORTED, 'no \ufffd'],
    ['a text of 100 kB', new StatusError(ABORTED, LONG), ABORTED, /^x{4087}…$/],
    [
      'a text of 100 kB and details, which repeat it',
      new StatusError(ABORTED, LONG, { details: [{ typeUrl: 'x', value: new Uint8Array(9) }] }),
      ABORTED,
      /^x{4087}…$/,
    ],
    [
      'trailers of a connection',
      new StatusError(ABORTED, 'no', { trailers: { connection: 'close' } }),
      ABORTED,
      'no',
    ],
    [
      'details of 100 kB',
      new StatusError(ABORTED, 'no', {
        details: [{ typeUrl: 'x', value: new Uint8Array(99_999) }],
      }),
      ABORTED,
      'no',
    ],
    ['what cannot be read', unreadable(), Code.INTERNAL, 'internal error'],
    ['a StatusError whose getters throw', trap(), Code.INTERNAL, 'internal error'],
    ['nothing', undefined, Code.INTERNAL, 'internal error'],
  ];

  it.each(denials)(
    'that a stage denies by %s ends with a status',
    async (_, thrown, code, details) => {
      for (const hook of ['onCall', 'onMessage', 'onSend'] as const) {
        const hooks = {
          [hook]() {
            throw thrown;
          },
        };
        const answer = await answerOfDenied(kind, hooks);
        expect(answer).toMatchObject({ code, details: expect.stringMatching(details) });
      }
    },
  );

  it('whose stage sets a header that HTTP/2 forbids is served without it', async () => {
    const { code, headers } = await answerOf(kind, [
      {
        onCall(call) {
          call.setHeader('connection', 'close');
          call.setHeader('x-why', 'policy');
        },
      },
    ]);
    expect(code).toBe(Code.OK);
    expect(headers?.get('x-why')).toEqual(['policy']);
  });

  it('whose stage cannot be bound is denied, and other stages see its end', async () => {
    const ends: Code[] = [];
    const { call, seen } = await echoServer([
      stage('log', { onEnd: (_call, { code }) => void ends.push(code) }),
      {
        ...stage('authz', {}),
        bind() {
          throw new Error('no such policy');
        },
      },
    ]);
    const { code, details } = await call(kind, { deadlineMs: 5_000 });
    expect([code, details, seen.handled]).toEqual([Code.INTERNAL, 'internal error', 0]);
    expect(ends).toEqual([Code.INTERNAL]);
  });

  it.each([
    ['undefined', undefined],
    ['a promise of hooks', Promise.resolve({})],
    ['a hook that is not a function', { onCall: 'deny' }],
    ['what cannot be read', unreadable()],
  ])('whose stage is bound to %s is denied', async (_what, bound) => {
    const broken = { ...stage('authz', {}), bind: () => bound as BoundCallStage };
    const { call, seen } = await echoServer([broken]);
    const { code, details } = await call(kind, { deadlineMs: 5_000 });
    expect([code, details, seen.handled]).toEqual([Code.INTERNAL, 'internal error', 0]);
  });

  it('whose stage rejects after the end is served', async () => {
    const answer = await answerOf(kind, [{ onEnd: () => Promise.reject(new Error('disk full')) }]);
    expect(answer.code).toBe(Code.OK);
  });

  it('keeps what can be sent of metadata that throws, and of that of another copy', async () => {
    const own = metadataOf(WHY);
    const foreign = {
      get: (key: string) => own.get(key),
      add: (key: string, value: string) => own.add(key, value),
      toJSON: () => own.toJSON(),
    } as unknown as Metadata;
    for (const metadata of [Object.assign(metadataOf(WHY), { toHttp2Headers: trapped }), foreign]) {
      const handler = failing(kind, error({ metadata }), false);
      const { code, trailers } = await answerOf(kind, [], handler);
      expect([code, trailers?.get('x-why')]).toEqual([ABORTED, ['policy']]);
    }
  });
});

/** The stages deny every call here, so there is no second one to serve. */
async function answerOfDenied(kind: MethodKind, hooks: BoundCallStage) {
  const { call } = await echoServer([stage('authz', hooks)]);
  return call(kind, { deadlineMs: 5_000 });
}

function unreadable(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function trap(): object {
  return {
    [Symbol.for('apix.StatusError')]: true,
    get message(): string {
      throw new Error('secret');
    },
  };
}

function trapped(): never {
  throw new Error('secret');
}
