import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '@apix/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CallOptions,
  InterceptingCall,
  type Interceptor,
  Metadata,
  status,
} from '@grpc/grpc-js';
import {
  type AnyServerCall,
  type Drive,
  type Handler,
  KINDS,
  type Kind,
  Link,
  type Respond,
  type Trace,
  type Transport,
  own,
} from './transports.fixture.js';

type Stage = ConstructorParameters<typeof Link>[1];

/** What a test does at both ends; everything has a usual way. */
interface Scenario {
  /** The handler, once the requests are read. Default: answers well. */
  readonly answer?: (call: AnyServerCall, finish: Finish, kind: Kind) => unknown;
  /** The handler, before it reads. Default: reads. */
  readonly begin?: Handler;
  /** What the client of a stream of requests does. Default: writes two and ends. */
  readonly drive?: Drive;
  /** What clients of every kind do after. */
  readonly afterwards?: (call: Parameters<Drive>[0], link: Link) => void;
  readonly metadata?: Record<string, readonly (string | Buffer)[]>;
  readonly options?: () => CallOptions;
  readonly stage?: Stage;
  readonly interceptors?: readonly Interceptor[];
  /** Whether the call gets to the server at all. Default: true. */
  readonly isReached?: boolean;
  /** Kinds that it is about. Default: all. */
  readonly kinds?: readonly Kind[];
}

type Finish = (error?: unknown, trailers?: Metadata) => void;

const readsStream = (kind: Kind): boolean => kind === 'clientStream' || kind === 'bidi';
const callsBack = (kind: Kind): boolean => kind === 'unary' || kind === 'clientStream';

/** Ends a call as its kind does; well, after two responses where there can be. */
function finisher(call: AnyServerCall, respond: Respond, kind: Kind): Finish {
  return (error, trailers) => {
    if (callsBack(kind)) {
      if (error === undefined) respond(null, { n: 10 }, trailers);
      else respond(error, null, trailers);
      return;
    }
    if (error === undefined) {
      call.write({ n: 10 });
      call.write({ n: 11 });
      call.end(trailers);
    } else call.emit('error', error);
  };
}

function handlerOf(scenario: Scenario, kind: Kind, noted: () => string[]): Handler {
  return (call, respond) => {
    noted().push(`begin ${own(call.metadata)}`);
    call.on('cancelled', () => noted().push('cancelled'));
    const finish = finisher(call, respond, kind);
    const answer = () => (scenario.answer ?? (() => finish()))(call, finish, kind);
    if (scenario.begin !== undefined) return scenario.begin(call, respond);
    if (!readsStream(kind)) {
      noted().push(`request ${JSON.stringify(call.request)}`);
      return answer();
    }
    call.on('data', (message: unknown) => noted().push(`data ${JSON.stringify(message)}`));
    return new Promise((resolve, reject) => {
      call.on('end', () => {
        noted().push('half-close');
        Promise.resolve().then(answer).then(resolve, reject);
      });
    });
  };
}

const links: Link[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

async function trace(transport: Transport, kind: Kind, scenario: Scenario): Promise<Trace> {
  const link: Link = new Link(
    handlerOf(scenario, kind, () => link.trace.server),
    scenario.stage,
  );
  links.push(link);
  await link.open(transport, scenario.interceptors);
  const metadata = new Metadata();
  for (const [key, values] of Object.entries(scenario.metadata ?? {})) {
    for (const value of values) metadata.add(key, value);
  }
  const usual: Drive = (call) => {
    call.write({ n: 1 });
    call.write({ n: 2 });
    call.end();
  };
  const done = link.call(kind, metadata, scenario.options?.() ?? {}, (call) => {
    if (readsStream(kind)) (scenario.drive ?? usual)(call);
    scenario.afterwards?.(call, link);
  });
  await done;
  if (scenario.isReached ?? true) await link.ended;
  await link.quiet();
  return link.trace;
}

const headers = (pairs: Record<string, string>): Metadata => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(pairs)) metadata.set(key, value);
  return metadata;
};

/** What throws wherever it is looked at. */
function unreadable(): Error {
  const fail = (): never => {
    throw new Error('secret');
  };
  return new Proxy(new Error('secret'), { get: fail, has: fail, getPrototypeOf: fail });
}

const never = new Promise<never>(() => {});

/**
 * Keeps the thread until the deadline of the server has passed. That is later than the caller's by
 * the time that the request took, and a caller that resets the stream much earlier has cancelled.
 */
function outlast(call: AnyServerCall): Promise<never> {
  while (Date.now() < Number(call.getDeadline()));
  return never;
}

/** Sends a message, and the same once more when it is gone. */
class SendsTwice extends InterceptingCall {
  override sendMessageWithContext(_context: unknown, message: unknown): void {
    const again = (): void => {
      super.sendMessageWithContext({ callback: () => super.halfClose() }, message);
    };
    super.sendMessageWithContext({ callback: again }, message);
  }

  override halfClose(): void {}
}

/** Says in the trailers how many responses came before them. */
const countsResponses: Interceptor = (options, next) =>
  new InterceptingCall(next(options), {
    start(metadata, _listener, go) {
      let count = 0;
      go(metadata, {
        onReceiveMessage(message, pass) {
          count += 1;
          pass(message);
        },
        onReceiveStatus(result, pass) {
          result.metadata.set('x-responses', String(count));
          pass(result);
        },
      });
    },
  });

const SCENARIOS: Record<string, Scenario> = {
  'ends well': {},
  'ends with a status of its own': {
    answer: (_call, finish) => finish({ code: status.NOT_FOUND, details: 'no such thing: é%' }),
  },
  'fails before an interceptor that counts responses': {
    answer: (_call, finish) => finish({ code: status.NOT_FOUND, details: 'no such thing' }),
    interceptors: [countsResponses],
  },
  'ends with an error that is no status': { answer: (_call, finish) => finish(new Error('lost')) },
  'ends with a status that carries trailers': {
    answer: (_call, finish) =>
      finish({
        code: status.ABORTED,
        details: 'again',
        metadata: headers({ 'x-retry': '1' }),
      }),
  },
  'gets metadata and sends headers': {
    metadata: {
      'x-text': ['a, b'],
      'x-texts': ['a', 'b'],
      'x-bytes-bin': [Buffer.from([0, 255]), Buffer.from([1])],
    },
    answer: (call, finish) => {
      call.sendMetadata(headers({ 'x-head': 'er' }));
      finish();
    },
  },
  'sends headers before it fails': {
    answer: (call, finish) => {
      call.sendMetadata(headers({ 'x-head': 'er' }));
      finish({ code: status.INTERNAL, details: 'after headers' });
    },
  },
  'ends with a status that cannot be sent as it is': {
    answer: (_call, finish) =>
      finish({
        code: status.ABORTED,
        details: `cut inside a pair \ud83d${'x'.repeat(100_000)}`,
        metadata: headers({ connection: 'close', 'grpc-status': '0', 'x-why': 'policy' }),
      }),
  },
  'ends with a code that gRPC does not have': {
    answer: (_call, finish) => finish({ code: 99, details: 'no' }),
  },
  'sends headers and trailers that cannot be sent as they are': {
    answer: (call, finish) => {
      const sent = headers({
        connection: 'close',
        'x-big': 'x'.repeat(100_000),
        'x-why': 'policy',
      });
      sent.add('etag', 'a');
      sent.add('etag', 'b');
      call.sendMetadata(sent);
      finish(undefined, sent);
    },
  },
  'rejects with an error that cannot be read': { answer: () => Promise.reject(unreadable()) },
  'sends trailers': { answer: (_call, finish) => finish(undefined, headers({ 'x-trail': 'er' })) },
  throws: {
    begin: () => {
      throw new Error('on no purpose');
    },
  },
  'rejects with a StatusError': {
    answer: () => Promise.reject(new StatusError(5, 'not here', { trailers: { 'x-why': 'gone' } })),
  },
  'rejects with another error': { answer: () => Promise.reject(new Error('password=hunter2')) },
  'takes longer than the deadline': {
    answer: outlast,
    options: () => ({ deadline: Date.now() + 400 }),
  },
  'is called after its deadline': {
    options: () => ({ deadline: Date.now() - 1 }),
    isReached: false,
  },
  'is cancelled by the caller': {
    begin: () => never,
    afterwards: (call, link) => void link.begun().then(() => call.cancel()),
  },
  'is cancelled by the caller after the first response': {
    answer: (call) => {
      call.write({ n: 10 });
      return never;
    },
    afterwards: (call) => call.on('data', () => call.cancel()),
    kinds: ['serverStream', 'bidi'],
  },
  'gets a half-close and no message': {
    drive: (call) => call.end(),
    kinds: ['clientStream', 'bidi'],
  },
  'ends before the caller does': {
    begin: (call, respond) => (respond !== undefined ? respond(null, { n: 10 }) : call.end()),
    drive: () => {},
    kinds: ['clientStream', 'bidi'],
  },
  'answers twice': {
    answer: (_call, finish) => {
      finish();
      finish();
    },
    kinds: ['clientStream'],
  },
  'gets its request twice': {
    interceptors: [(options, next) => new SendsTwice(next(options))],
    kinds: ['unary', 'serverStream'],
  },
  'gets a request that cannot be written': {
    drive: (call) => call.write({ n: 1n }),
    isReached: false,
    kinds: ['clientStream', 'bidi'],
  },
  'gets a request that cannot be read': {
    drive: (call) => call.write('no JSON'),
    kinds: ['clientStream', 'bidi'],
  },
  'answers what cannot be written': {
    begin: (call, respond) => (respond ? respond(null, { n: 1n }) : call.write({ n: 1n })),
  },
  'answers what cannot be read': {
    begin: (call, respond) => (respond ? respond(null, 'no JSON') : call.write('no JSON')),
  },
  'is denied by a stage': {
    stage: {
      onCall: () => {
        throw new StatusError(7, 'not you');
      },
    },
  },
  'is denied by a stage that waits': {
    stage: {
      onCall: async () => {
        await Promise.resolve();
        throw new StatusError(16, 'who are you');
      },
    },
  },
  'is denied for its message': {
    stage: {
      onMessage: () => {
        throw new StatusError(3, 'not that');
      },
    },
  },
  'gets headers of a stage': { stage: { onCall: (call) => call.setHeader('x-stage', 'log') } },
};

const TABLE = Object.entries(SCENARIOS).flatMap(([name, scenario]) =>
  (scenario.kinds ?? KINDS).map((kind) => [kind, name, scenario] as const),
);

describe('a call in-process', () => {
  it.each(TABLE)(
    'is to both ends what one over the wire is: %s, whose handler %s',
    async (kind, _name, scenario) => {
      const wire = await trace('network', kind, scenario);
      const local = await trace('in-process', kind, scenario);
      expect(local).toEqual(wire);
    },
  );
});

describe('a handler that pipes its responses into its call', () => {
  it.each(
    (['network', 'in-process'] as const).flatMap((transport) =>
      (['serverStream', 'bidi'] as const).map((kind) => [transport, kind] as const),
    ),
  )('hears that the last one has left, %s, %s', async (transport, kind) => {
    let piped: Promise<unknown> = never;
    const link = new Link((call) => {
      const stream = call as unknown as Writable;
      piped = Promise.all([
        once(stream, 'finish'),
        pipeline(Readable.from([{ n: 10 }, { n: 11 }]), stream),
      ]);
    });
    links.push(link);
    await link.open(transport);
    await link.call(kind, new Metadata(), {}, (call) => call.end?.());
    await piped;
    expect(link.trace.client).toContain('data {"n":11}');
  });
});
