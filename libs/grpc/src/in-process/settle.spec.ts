import { Code, StatusError } from '@apix/contracts';
import { Metadata } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnyServerCall, type Handler, type Kind, KINDS, Link } from './transports.fixture.js';

type Destroyable = AnyServerCall & {
  destroy?(error?: unknown): void;
  prependListener(event: string, listener: () => void): void;
  removeAllListeners(): void;
};

const links: Link[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
beforeAll(() => void process.on('uncaughtException', note).on('unhandledRejection', note));
afterAll(() => void process.off('uncaughtException', note).off('unhandledRejection', note));
afterEach(() => expect(uncaught.splice(0)).toEqual([]));

const CLOSED = new StatusError(Code.ABORTED, 'closed');
const ABORTED = 'status ABORTED closed []';
const INTERNAL = 'status INTERNAL internal error []';

class ThrowingMetadata extends Metadata {
  override toHttp2Headers(): never {
    throw new Error('secret');
  }
}

type Row = readonly [what: string, handler: (call: Destroyable) => unknown, status: string];

/** A promise of another library, or of another realm. */
const foreignRejection = {};
Reflect.set(foreignRejection, 'then', (_: unknown, reject: (error: unknown) => void) =>
  reject(CLOSED),
);

const STREAMING: readonly Row[] = [
  ['destroys its call with an error', (call) => call.destroy!(CLOSED), ABORTED],
  [
    'destroys its call later',
    (call) => void setImmediate(() => call.destroy!(new Error('secret'))),
    INTERNAL,
  ],
  [
    'prepends a listener that throws',
    async (call) => {
      call.prependListener('error', () => {
        throw new Error('secret');
      });
      await Promise.reject(CLOSED);
    },
    ABORTED,
  ],
  [
    'has removed every listener',
    async (call) => {
      call.removeAllListeners();
      await Promise.reject(CLOSED);
    },
    ABORTED,
  ],
];

const READING: readonly Row[] = [
  [
    'throws when the requests end',
    (call) => {
      call.on('data', () => {});
      call.on('end', () => {
        throw CLOSED;
      });
    },
    ABORTED,
  ],
  [
    'rejects when the requests end',
    (call) => {
      call.on('data', () => {});
      call.on('end', () => Promise.reject(CLOSED));
    },
    ABORTED,
  ],
  [
    'rejects when the requests end, by a promise of another kind,',
    (call) => {
      call.on('data', () => {});
      call.on('end', () => foreignRejection);
    },
    ABORTED,
  ],
];

const ANY: readonly Row[] = [
  ['rejects by a promise of another kind', () => foreignRejection, ABORTED],
  [
    'has replaced the metadata of its call',
    (call) => {
      Object.assign(call, { metadata: null });
      throw CLOSED;
    },
    ABORTED,
  ],
  [
    'fails with trailers that throw',
    () => {
      throw Object.assign(new Error(), {
        code: Code.ABORTED,
        details: 'closed',
        metadata: new ThrowingMetadata(),
      });
    },
    ABORTED,
  ],
  [
    'sends headers that throw',
    (call) => {
      call.sendMetadata(new ThrowingMetadata());
      throw CLOSED;
    },
    ABORTED,
  ],
  [
    'sends headers after the end',
    (call) => {
      setImmediate(() => setImmediate(() => call.sendMetadata(new Metadata())));
      throw CLOSED;
    },
    ABORTED,
  ],
];

function rowsOf(kind: Kind): readonly Row[] {
  return [
    ...ANY,
    ...(kind === 'unary' ? [] : STREAMING),
    ...(kind === 'clientStream' || kind === 'bidi' ? READING : []),
  ];
}

const CALLS = (['network', 'in-process'] as const).flatMap((transport) =>
  KINDS.flatMap((kind) => rowsOf(kind).map((row) => [transport, kind, ...row] as const)),
);

async function linkTo(transport: 'network' | 'in-process', handler: Handler): Promise<Link> {
  const link = new Link(handler);
  links.push(link);
  await link.open(transport);
  return link;
}

describe('a call', () => {
  it.each(CALLS)('over the %s of the kind %s whose handler %s ends', async (...row) => {
    const [transport, kind, , handler, status] = row;
    const link = await linkTo(transport, (call) => handler(call as Destroyable));
    await link.call(kind, new Metadata(), {}, (call) => call.end?.());
    await link.quiet();
    expect(link.trace.client.find((line) => line.startsWith('status'))).toBe(status);
    expect(link.trace.stage.filter((line) => line.startsWith('end'))).toHaveLength(1);
  });

  it.each(['network', 'in-process'] as const)(
    'over the %s has its stages told of an error that cannot be read',
    async (transport) => {
      const unreadable = new Proxy(new Error('secret'), {
        get: () => {
          throw new Error('secret');
        },
      });
      const seen: unknown[] = [];
      const link = new Link(
        () => {
          throw unreadable;
        },
        { onEnd: (_call, { error }) => void seen.push(error) },
      );
      links.push(link);
      await link.open(transport);
      await link.call('unary');
      await link.quiet();
      expect(seen.map((error) => Object.is(error, unreadable))).toEqual([true]);
    },
  );

  it.each([
    ['network', 'serverStream'],
    ['network', 'bidi'],
    ['in-process', 'serverStream'],
    ['in-process', 'bidi'],
  ] as const)('over the %s of the kind %s that is destroyed fails', async (transport, kind) => {
    const link = await linkTo(transport, (call) => (call as Destroyable).destroy!());
    await link.call(kind, new Metadata(), {}, (call) => call.end?.());
    expect(link.trace.client).toContain(INTERNAL);
  });

  it.each([
    ['network', 'unary'],
    ['network', 'clientStream'],
    ['in-process', 'unary'],
    ['in-process', 'clientStream'],
  ] as const)('over the %s of the kind %s keeps its first answer', async (transport, kind) => {
    const link = await linkTo(transport, (_call, respond) => {
      respond(null, { n: 1 });
      respond(null, { n: 2 });
      respond(CLOSED);
    });
    await link.call(kind, new Metadata(), {}, (call) => call.end?.());
    await link.quiet();
    const { client, stage } = link.trace;
    expect(client).toContain('data {"n":1}');
    expect(client).toContain('status OK OK []');
    expect(stage.at(-1)).toBe('end OK');
  });
});
