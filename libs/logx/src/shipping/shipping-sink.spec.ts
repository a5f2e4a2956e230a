import { type Clock, deadlineAfter } from '@apix/contracts';
import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import { configOf } from '../config/load-config.js';
import { batchShipper, type BatchShipperOptions } from './batch-shipper.js';
import { DocumentSinks } from './document-sinks.js';
import { registerShippingType } from './register-shipping-type.js';
import type { Shipper } from './shipper.js';
import { program } from '../../../../tools/testing/program.js';
import type { ShippingSinkOptions } from './shipping-options.js';
import { ShippingSink } from './shipping-sink.js';

interface Rig {
  readonly sink: ShippingSink;
  readonly sent: string[][];
  readonly errors: string[];
}

function rig(
  batches: Partial<BatchShipperOptions> = {},
  options: Partial<ShippingSinkOptions> = {},
): Rig {
  const sent: string[][] = [];
  const errors: string[] = [];
  const sink = new ShippingSink({
    packageName: 'test',
    kind: 'wire',
    target: 'there',
    metrics: { prefix: 'test', attributes: { to: 'there' } },
    onError: ({ message }) => void errors.push(message),
    ship: batchShipper({ send: async (lines) => void sent.push([...lines]), ...batches }),
    ...options,
  });
  return { sink, sent, errors };
}

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const throwing: unknown = {
  get message(): string {
    throw new Error('no');
  },
};

/** Whatever a user's code may throw. */
const HOSTILE: readonly (readonly [string, unknown])[] = [
  ['an object without a prototype', Object.create(null)],
  ['a revoked proxy', revoked()],
  ['a symbol', Symbol('x')],
  ['undefined', undefined],
  ['an object with throwing getters', throwing],
];

describe('a sink on the frame', () => {
  // First: a sink that a test before it has not closed keeps the listener that all share.
  it('leaves no listener on the process', async () => {
    const count = (): number => process.listenerCount('beforeExit') + process.listenerCount('exit');
    const before = count();
    const { sink } = rig();
    createLogger({ sinks: [sink] });
    expect(count()).toBeGreaterThan(before);
    await sink.close();
    expect(count()).toBe(before);
  });

  it('is closed with the last of the loggers that share it', async () => {
    const { sink, sent } = rig();
    const [one, two] = [createLogger({ sinks: [sink] }), createLogger({ sinks: [sink] })];
    one.info('a');
    await one.close();
    await one.close();
    expect([sink.isClosed, sent.length]).toEqual([false, 1]);
    two.info('b');
    await two.close();
    expect([sink.isClosed, sent.length]).toEqual([true, 2]);
    expect(() => createLogger({ sinks: [sink] })).toThrow(
      'test: there: the sink is closed; create a new one for another logger',
    );
  });

  it.each([
    [
      2,
      'test: there: lost 2 events that waited when the process exited; close the logger before\n',
    ],
    [0, ''],
  ])(
    'says of %i events that wait at the exit of the process what becomes of them',
    async (n, said) => {
      const exiting = await program({
        folder: new URL('./', import.meta.url),
        code: `
        import { createLogger } from '../core/index.js';
        import { ShippingSink, batchShipper } from './index.js';
        const sink = new ShippingSink({
          packageName: 'test', kind: 'wire', target: 'there',
          metrics: { prefix: 'test', attributes: {} },
          onError: ({ message }) => void process.stderr.write(message + '\\n'),
          ship: batchShipper({ send: async () => {}, flushInterval: '1m' }),
        });
        const logger = createLogger({ sinks: [sink] });
        for (let i = 0; i < ${n}; i++) logger.info('an event');
        process.exit(0);`,
      });
      expect(await exiting.run().ended).toMatchObject({ code: 0, err: said });
      await exiting.remove();
    },
  );

  it('drops what is logged after its end, and says why', async () => {
    const { sink } = rig();
    await sink.close();
    sink.write('late\n');
    expect(sink.stats()).toMatchObject({ logged: 1, dropped: 1, dropReasons: { closed: 1 } });
  });

  it('gives up at the deadline, counts what was not sent, and ignores late answers', async () => {
    let answer = (): void => {};
    const { sink } = rig({
      batchSize: 2,
      send: () => new Promise((resolve) => (answer = resolve)),
    });
    for (let i = 0; i < 5; i++) sink.write('x\n');
    await expect(sink.close(deadlineAfter(20))).rejects.toThrow(
      'test: there: 5 events could not be sent in time',
    );
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sink.stats()).toMatchObject({ sent: 0, dropped: 5, queued: 0, oldestAgeMs: 0 });
    expect(sink.stats().dropReasons.deadline).toBe(5);
  });

  it.each([{ queueSize: 2 }, { queueBytes: 400 }])(
    'takes a fatal event whatever the bound %j is, behind what waits',
    async (bound) => {
      let release = (): void => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const { sink, sent } = rig({
        ...bound,
        batchSize: 2,
        send: async (lines) => {
          await released;
          sent.push([...lines]);
        },
      });
      const log = createLogger({ sinks: [sink] });
      for (let i = 0; i < 9; i++) log.info('{I}', i);
      log.write({ level: Level.Fatal, text: 'bye' });
      release();
      await log.close();
      expect(sink.stats().dropReasons.full).toBeGreaterThan(0);
      expect(sent.flat().at(-1)).toContain('"message":"bye"');
      expect(sink.sent).toBe(sent.flat().length);
    },
  );

  it('takes no longer than its own limit, whatever the deadline is', async () => {
    const clock = fakeClock();
    const { sink } = rig({ send: () => new Promise(() => {}) }, { clock, limitMs: 1_000 });
    sink.write('x\n');
    const ended = expect(sink.close(deadlineAfter(60_000, clock))).rejects.toThrow('1 event');
    await clock.advance(1_000);
    await ended;
  });

  it.each(HOSTILE)('counts a failed request that throws %s, and goes on', async (_, thrown) => {
    let first = true;
    const { sink, errors } = rig({
      maxRetries: 0,
      send: async () => {
        const fails = first;
        first = false;
        if (fails) throw thrown;
      },
    });
    sink.write('a\n');
    await sink.flush();
    expect(() => sink.check()).toThrow(/^test: there: .+; 0 events queued$/);
    sink.write('b\n');
    await sink.close();
    expect(sink.stats()).toMatchObject({ logged: 2, sent: 1, failed: 1 });
    expect(errors).toEqual([expect.stringMatching(/^test: there: 1 event not sent: .+/)]);
  });

  it.each(HOSTILE)('counts an event whose shipper throws %s as failed', async (_, thrown) => {
    const shipper: Shipper = {
      since: undefined,
      trouble: undefined,
      write: () => {
        throw thrown;
      },
      flush: async () => {},
      close: async () => {},
    };
    const { sink, errors } = rig({}, { ship: () => shipper });
    sink.write('a\n');
    expect(sink.stats()).toMatchObject({ logged: 1, failed: 1 });
    expect(errors).toEqual([expect.stringMatching(/^test: there: 1 event lost: .+/)]);
    await sink.close();
  });

  it('survives a listener that throws', async () => {
    const onError = (): void => {
      throw new Error('listener');
    };
    const { sink } = rig(
      { send: () => Promise.reject(new Error('no')), maxRetries: 0 },
      { onError },
    );
    sink.write('a\n');
    await sink.close();
    expect(sink.failed).toBe(1);
  });

  it('gives its account as metrics, with a reading for each reason to drop', async () => {
    const { sink } = rig({ queueSize: 1 });
    for (let i = 0; i < 3; i++) sink.write('x\n');
    const readings = [...sink.metrics()];
    const of = (name: string, reason?: string): number | undefined =>
      readings.find((it) => it.name === `test.${name}` && it.attributes?.['reason'] === reason)
        ?.value;
    expect([of('logged'), of('queued'), of('dropped', 'full'), of('dropped', 'closed')]).toEqual([
      3, 1, 2, 0,
    ]);
    await sink.close();
  });

  it('is remembered by DocumentSinks when a document has made it, until it is closed', async () => {
    const made: ShippingSink[] = [];
    registerShippingType({
      type: 'wire',
      formats: ['json'],
      read: (fields) => fields.text('to'),
      make: () => {
        const { sink } = rig({}, { health: 'ready' });
        made.push(sink);
        return sink;
      },
    });
    const source = new DocumentSinks();
    const log = configOf({ sinks: [{ type: 'Wire', options: { to: 'x' } }] }).build();
    expect(source.sinks).toEqual(made);
    expect(source.healthChecks()).toMatchObject([{ name: 'wire there', affects: 'ready' }]);
    expect([...source.metrics()]).not.toEqual([]);
    await log.close();
    expect(source.sinks).toEqual([]);
  });
});

describe('batches', () => {
  it('are full, or sent when their time has come, one after the other and in order', async () => {
    const clock = fakeClock();
    const { sink, sent } = rig({ batchSize: 2, flushInterval: '1s' }, { clock });
    for (let i = 0; i < 5; i++) sink.write(`${i}\n`);
    await clock.advance(999);
    const early = sent.length;
    await clock.advance(1);
    expect(sent.flat()).toEqual(['0\n', '1\n', '2\n', '3\n', '4\n']);
    expect(sent.every((lines) => lines.length <= 2)).toBe(true);
    expect(early).toBeGreaterThan(0);
    await sink.close();
  });

  it('are sent again later each time, and given up after the last retry', async () => {
    const clock = fakeClock();
    const at: number[] = [];
    const send = async (): Promise<void> => {
      at.push(clock.now());
      throw new Error('503');
    };
    const { sink, errors } = rig({ send, maxRetries: 2, retryDelay: 100 }, { clock });
    sink.write('a\n');
    const flushed = sink.flush();
    await clock.advance(10_000);
    await flushed;
    expect(at).toHaveLength(3);
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(50);
    expect(at[2]! - at[1]!).toBeGreaterThanOrEqual(100);
    expect(sink.stats()).toMatchObject({ failed: 1, retried: 2 });
    expect(errors).toEqual(['test: there: 1 event not sent: 503']);
    await sink.close();
  });

  it('are given up when a request takes too long', async () => {
    const clock = fakeClock();
    const signals: AbortSignal[] = [];
    const send = (_: readonly string[], signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const { sink, errors } = rig({ send, maxRetries: 0, timeout: '3s' }, { clock });
    sink.write('a\n');
    const flushed = sink.flush();
    await clock.advance(3_000);
    await flushed;
    expect(signals[0]!.aborted).toBe(true);
    expect(errors).toEqual(['test: there: 1 event not sent: no answer within 3000 ms']);
    await sink.close();
  });

  it.each([
    [1, 1],
    [9, 3],
    [Number.NaN, 0],
    [-1, 0],
  ])('of which %p events are refused count %p as failed', async (refused, failed) => {
    const { sink } = rig({ send: async () => ({ refused, reason: 'HTTP 400' }) });
    for (let i = 0; i < 3; i++) sink.write('x\n');
    await sink.close();
    expect(sink.stats()).toMatchObject({ sent: 3 - failed, failed, queued: 0 });
  });

  it('report every wrong option at once', () => {
    const wrong = {
      send: 7,
      batchSize: 0,
      flushInterval: 'soon',
      queueSize: 1.5,
      queueBytes: -1,
      maxRetries: -1,
      retryDelay: 'x',
      timeout: 0,
      batchSiz: 1,
    } as unknown as BatchShipperOptions;
    let mistakes: readonly string[] = [];
    try {
      batchShipper(wrong);
    } catch (error) {
      mistakes = (error as { mistakes: readonly string[] }).mistakes;
    }
    expect(mistakes.map((mistake) => mistake.split(':')[0]!).toSorted()).toEqual(
      Object.keys(wrong).toSorted(),
    );
  });

  it('are not sent by a sink whose options are wrong', () => {
    const options = {
      packageName: 'logx-test',
      kind: 'test',
      target: 'there',
      metrics: {},
      ship: batchShipper({ send: async () => {} }),
      healt: 'ready',
      sinkOptions: { minLevl: 'debug' },
    } as unknown as ConstructorParameters<typeof ShippingSink>[0];
    expect(() => new ShippingSink(options)).toThrow(
      'logx-test: test sink: 2 mistakes:\n' +
        '  healt: is not known here; did you mean health?\n' +
        '  minLevl: is not known here; did you mean minLevel?',
    );
    expect(() => new ShippingSink(undefined as never)).toThrow('must be an object, not undefined');
  });

  it('leave an exact account at every moment, whatever the other side answers', async () => {
    const answers = fc.infiniteStream(fc.constantFrom('take', 'some', 'fail', 'hang'));
    const steps = fc.array(
      fc.oneof(
        fc.record({ write: fc.integer({ min: 1, max: 20 }) }),
        fc.record({ wait: fc.integer({ min: 1, max: 20_000 }) }),
      ),
      { maxLength: 10 },
    );
    const balance = (sink: ShippingSink): number => {
      const { logged, sent, failed, dropped, queued } = sink.stats();
      return logged - sent - failed - dropped - queued;
    };
    const run = async (told: Iterator<string>, plan: readonly object[]): Promise<void> => {
      const clock: Clock & { advance(ms: number): Promise<void> } = fakeClock();
      const send = async (lines: readonly string[]) => {
        const answer = told.next().value as string;
        if (answer === 'fail') throw new Error('503');
        if (answer === 'hang') await new Promise(() => {});
        return { refused: answer === 'some' ? lines.length >> 1 : 0, reason: '400' };
      };
      const { sink } = rig({ send, batchSize: 4, queueSize: 10, maxRetries: 1 }, { clock });
      for (const step of plan) {
        if ('write' in step) for (let i = 0; i < Number(step.write); i++) sink.write('x\n');
        if ('wait' in step) await clock.advance(Number(step.wait));
        expect(balance(sink)).toBe(0);
      }
      const closing = sink.close(deadlineAfter(5_000, clock)).catch(() => {});
      await clock.advance(5_000);
      await closing;
      expect([balance(sink), sink.stats().queued]).toEqual([0, 0]);
    };
    await fc.assert(fc.asyncProperty(answers, steps, run), { numRuns: 100 });
  });
});
