import { Metadata, status } from '@grpc/grpc-js';
import { describe, expect, it, jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  Code,
  StatusError,
  type MethodKind,
  type CallOutcome,
  type CallStage,
  type StagedCall,
  type CallUnderWay,
} from '@apix/contracts';
import { followCalls, callUnderWay } from '@apix/contracts/internal';
import { KINDS, PATHS, echoServer, stage } from './echo-server.fixture.js';
import { stageInterceptor } from './stage-interceptor.js';
import { callOf, noteFailure } from './staged-grpc-call.js';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe.each(KINDS)('a %s call', (kind) => {
  const answers: Record<MethodKind, string[]> = {
    unary: ['a'],
    server_stream: ['a1', 'a2'],
    client_stream: ['a+b'],
    bidi_stream: ['A', 'B'],
  };

  it.each([
    ['synchronous', undefined],
    ['asynchronous', tick],
  ])('passes %s stages in their stated order, whatever the order they come in', async (_, wait) => {
    const log: string[] = [];
    const note = (name: string): CallStage =>
      stage(name, {
        onCall: () => {
          log.push(`${name} call`);
          return wait?.();
        },
        onMessage: (_call, message) => {
          log.push(`${name} message ${String(message)}`);
          return wait?.();
        },
        onSend: (_call, message) => void log.push(`${name} send ${String(message)}`),
        onEnd: (_call, { code }) => void log.push(`${name} end ${Code[code]}`),
      });
    const { call } = await echoServer([note('validation'), note('authz')]);
    const { code, messages } = await call(kind);
    expect([code, messages]).toEqual([Code.OK, answers[kind]]);
    expect(log.slice(0, 4)).toEqual([
      'authz call',
      'validation call',
      'authz message a',
      'validation message a',
    ]);
    expect(log.slice(-2)).toEqual(['validation end OK', 'authz end OK']);
  });

  it.each([
    ['at once', async () => {}],
    ['after a while', tick],
  ])('is denied %s before a message is decoded or the handler runs', async (_, wait) => {
    const ends: CallOutcome[] = [];
    const denial = new StatusError(Code.PERMISSION_DENIED, 'not you', {
      trailers: { 'x-why': 'policy' },
      details: [{ typeUrl: 'type.googleapis.com/x', value: new Uint8Array(200) }],
    });
    const { call, seen } = await echoServer([
      stage('authz', {
        async onCall() {
          await wait();
          throw denial;
        },
        onEnd: (_call, outcome) => void ends.push(outcome),
      }),
    ]);
    const { code, details, trailers } = await call(kind);
    expect([code, details]).toEqual([Code.PERMISSION_DENIED, 'not you']);
    expect(trailers?.get('x-why')).toEqual(['policy']);
    expect(trailers?.get('grpc-status-details-bin')).toHaveLength(1);
    expect(seen).toEqual({ decoded: 0, handled: 0 });
    expect(ends).toEqual([
      { code: Code.PERMISSION_DENIED, message: 'not you', cancelled: false, error: denial },
    ]);
  });

  it('is not let in by a stage that fails, and its words stay inside', async () => {
    const { call, seen } = await echoServer([
      stage('authz', {
        onCall() {
          throw new TypeError('secret');
        },
      }),
    ]);
    const { code, details } = await call(kind);
    expect([code, details, seen.handled]).toEqual([Code.INTERNAL, 'internal error', 0]);
  });

  it('can be denied for a message', async () => {
    const { call } = await echoServer([
      stage('validation', {
        onMessage: (_call, message) => {
          if (message === 'bad') throw new StatusError(Code.INVALID_ARGUMENT, 'bad message');
        },
      }),
    ]);
    const { code, details } = await call(kind, { messages: ['bad', 'b'] });
    expect([code, details]).toEqual([Code.INVALID_ARGUMENT, 'bad message']);
  });

  it('gives every stage and the handler what a stage puts in place of a message, both ways', async () => {
    const seen: unknown[] = [];
    const { call } = await echoServer([
      stage('authz', {
        toReceive: (_call, message) => `<${String(message)}`,
        toSend: (_call, message) => `${String(message)}>`,
      }),
      stage('validation', {
        onMessage: (_call, message) => void seen.push(String(message)),
        onSend: (_call, message) => void seen.push(String(message)),
      }),
    ]);
    const { code, messages } = await call(kind);
    expect([code, messages.every((each) => each.endsWith('>'))]).toEqual([Code.OK, true]);
    expect(messages.join('')).toContain('<');
    expect(seen).toEqual(expect.arrayContaining(['<a', messages[0]]));
  });

  it.each(['toReceive', 'toSend'] as const)(
    'ends without the message if %s of a stage throws',
    async (hook) => {
      const fails = (): never => {
        throw new Error('the secret of the house');
      };
      const { call } = await echoServer([stage('authz', { [hook]: fails })]);
      const { code, details, messages } = await call(kind);
      expect([code, details, messages]).toEqual([Code.INTERNAL, 'internal error', []]);
    },
  );

  it('runs its handler within the stages', async () => {
    const store = new AsyncLocalStorage<string>();
    const inside: (string | undefined)[] = [];
    const { call } = await echoServer([
      stage('log', {
        within: (_call, run) => store.run('here', run),
        onSend: () => void inside.push(store.getStore()),
      }),
    ]);
    const { code } = await call(kind);
    expect(code).toBe(Code.OK);
    expect(new Set(inside)).toEqual(new Set(['here']));
  });

  it('is what the work of its handler is part of, once calls are followed', async () => {
    followCalls();
    const inside: (CallUnderWay | undefined)[] = [];
    const { call } = await echoServer([
      stage('log', {
        onCall: (staged) => staged.setHeader('x-request-id', '7'),
        onSend: () => void inside.push(callUnderWay()),
      }),
    ]);
    expect((await call(kind)).code).toBe(Code.OK);
    expect(new Set(inside).size).toBe(1);
    expect(inside[0]).toMatchObject({ method: { kind }, requestId: '7', deadline: Infinity });
    expect(callUnderWay()).toBeUndefined();
  });

  it('carries the headers of a stage, also when it is denied', async () => {
    const log = stage('log', { onCall: (staged) => staged.setHeader('x-request-id', '7') });
    const deny = stage('authz', {
      onCall() {
        throw new StatusError(Code.UNAUTHENTICATED, 'who are you?');
      },
    });
    const open = await echoServer([log]);
    const closed = await echoServer([log, deny]);
    expect((await open.call(kind)).headers?.get('x-request-id')).toEqual(['7']);
    const denied = await closed.call(kind);
    expect(denied.code).toBe(Code.UNAUTHENTICATED);
    expect(denied.headers?.get('x-request-id')).toEqual(['7']);
  });

  it('ends once, as a deadline, when the time of its caller is up', async () => {
    const ended = jest.fn<(outcome: CallOutcome) => void>();
    const signals: AbortSignal[] = [];
    // Keeps the thread: the server's deadline is later than the caller's by what the request took.
    const outlast = (call: { getDeadline(): Date | number }): void => {
      while (Date.now() < Number(call.getDeadline()));
    };
    const { call } = await echoServer(
      [
        stage('log', {
          onCall: (staged) => void signals.push(staged.signal),
          onEnd: (_call, outcome) => ended(outcome),
        }),
      ],
      { [kind]: outlast },
    );
    const { code } = await call(kind, { deadlineMs: 400 });
    expect(code).toBe(Code.DEADLINE_EXCEEDED);
    while (ended.mock.calls.length === 0) await tick();
    expect(ended.mock.calls).toEqual([
      [{ code: Code.DEADLINE_EXCEEDED, message: 'deadline exceeded', cancelled: true }],
    ]);
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('the stage chain', () => {
  it('reports a caller that cancels, once, and aborts the signal', async () => {
    const ended = jest.fn<(call: StagedCall, outcome: CallOutcome) => void>();
    const open = (stream: { sendMetadata(m: Metadata): void }): void =>
      stream.sendMetadata(new Metadata());
    const { call } = await echoServer([stage('log', { onEnd: ended })], { bidi_stream: open });
    expect((await call('bidi_stream', { cancelOnHeaders: true })).code).toBe(Code.CANCELLED);
    while (ended.mock.calls.length === 0) await tick();
    await tick();
    expect(ended).toHaveBeenCalledTimes(1);
    const [staged, outcome] = ended.mock.calls[0]!;
    expect(outcome).toEqual({
      code: Code.CANCELLED,
      message: 'the caller cancelled',
      cancelled: true,
    });
    expect(staged.signal.aborted).toBe(true);
  });

  it.each(['unary', 'server_stream'] as const)(
    'reports a %s call whose caller cancels before the request as cancelled, not as failed',
    async (kind) => {
      const ended = jest.fn<(call: StagedCall, outcome: CallOutcome) => void>();
      let begin!: () => void;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const watch = stage('log', { onCall: () => begin(), onEnd: ended });
      const { client, seen } = await echoServer([watch]);
      const call = client.getChannel().createCall(PATHS[kind], Infinity, null, null, null);
      call.start(new Metadata(), {
        onReceiveMetadata: () => {},
        onReceiveMessage: () => {},
        onReceiveStatus: () => {},
      });
      await begun;
      call.cancelWithStatus(status.CANCELLED, 'enough');
      while (ended.mock.calls.length === 0) await tick();
      const message = 'the caller cancelled';
      expect(ended.mock.calls[0]?.[1]).toEqual({ code: Code.CANCELLED, message, cancelled: true });
      expect(seen.handled).toBe(0);
    },
  );

  it('hands the call to the handler on its metadata, and takes its failure back', async () => {
    const failure = new Error('disk on fire');
    const outcomes: CallOutcome[] = [];
    const methods: (string | undefined)[] = [];
    const failing = (served: { metadata: Metadata }, done: (error: object) => void): void => {
      methods.push(callOf(served.metadata)?.method.fullName);
      noteFailure(served.metadata, failure);
      done({ code: status.INTERNAL, details: 'sorry' });
    };
    const { call } = await echoServer(
      [stage('log', { onEnd: (_call, outcome) => void outcomes.push(outcome) })],
      { unary: failing },
    );
    expect((await call('unary')).details).toBe('sorry');
    expect(methods).toEqual(['/test.Echo/Unary']);
    expect(outcomes).toEqual([
      { code: Code.INTERNAL, message: 'sorry', cancelled: false, error: failure },
    ]);
  });

  it('reports a method of a served service that has no handler', async () => {
    const seen: string[] = [];
    const { call } = await echoServer(
      [
        stage('log', {
          onEnd: ({ method }, { code }) => void seen.push(`${method.fullName} ${Code[code]}`),
        }),
      ],
      { unary: undefined },
    );
    expect((await call('unary')).code).toBe(Code.UNIMPLEMENTED);
    expect(seen).toEqual(['/test.Echo/Unary UNIMPLEMENTED']);
  });

  it('reports that a gateway calls in the name of the caller', async () => {
    const forwarded: boolean[] = [];
    const { call } = await echoServer([
      stage('log', { onCall: (staged) => void forwarded.push(staged.forwarded) }),
    ]);
    const metadata = new Metadata();
    metadata.set('x-apix-forwarded', '1');
    await call('unary', { metadata });
    await call('unary');
    expect(forwarded).toEqual([true, false]);
  });

  const branded = { [Symbol.for('apix.StatusError')]: true, message: 'no' };
  it.each<[string, unknown, Code]>([
    ['trailers that gRPC cannot carry', untrailed(), Code.ABORTED],
    ['neither trailers nor details', { ...branded, code: Code.ABORTED }, Code.ABORTED],
    ['the code OK', { ...branded, code: Code.OK }, Code.UNKNOWN],
    ['a code that is none', { ...branded, code: 99 }, Code.UNKNOWN],
  ])('ends a call that is denied by an error with %s', async (_, error, code) => {
    for (const wait of [undefined, tick]) {
      const { call, seen } = await echoServer([
        stage('authz', {
          onCall() {
            if (wait === undefined) throw error;
            return wait().then(() => Promise.reject(error));
          },
        }),
      ]);
      expect(await call('unary')).toMatchObject({ code, details: 'no' });
      expect(seen.handled).toBe(0);
    }
  });

  it('ignores what a stage throws at the end, and still tells the others', async () => {
    const told: string[] = [];
    const { call } = await echoServer([
      stage('log', { onEnd: () => void told.push('log') }),
      stage('authz', {
        onEnd() {
          throw new Error('forgetful');
        },
      }),
    ]);
    expect((await call('unary')).code).toBe(Code.OK);
    expect(told).toEqual(['log']);
  });
});

function untrailed(): StatusError {
  return new StatusError(Code.ABORTED, 'no', { trailers: { 'bad key': 'x' } });
}

describe('a stage that reads messages before authz', () => {
  const peek = {
    ...stage('peek', { onMessage: () => {} }),
    before: ['authz'],
  };

  it('is refused at start for the methods that are served', () => {
    const served = { fullName: '/p.S/M', service: 'p.S', name: 'M', kind: 'unary' } as const;
    expect(() => stageInterceptor([peek], () => undefined, [served])).toThrow(
      /the stage "peek" reads messages \(onMessage\) and comes before authz/,
    );
  });

  it('closes a method that nothing was known of at start', async () => {
    const { call, seen } = await echoServer([peek]);
    const { code, details } = await call('unary');
    expect([code, details]).toEqual([Code.INTERNAL, 'internal error']);
    expect(seen).toEqual({ decoded: 0, handled: 0 });
  });
});
