import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { collectingSink } from '../testing/collecting-sink.js';
import { createLogger } from '../logger/create-logger.js';
import { LeftOutRequests } from './left-out-requests.js';
import { RequestRecord } from './request-record.js';
import { NO_SAMPLE, type SampleSettings } from './request-sample.js';
import { RequestSampler } from './request-sampler.js';

const logger = createLogger({ sinks: [collectingSink()] });

interface Asked {
  readonly handler?: string;
  readonly route?: string;
  readonly traceId?: string;
  readonly routeSample?: number;
  readonly durationMs?: number;
  readonly isStream?: boolean;
}

function sampling(settings: Partial<SampleSettings>) {
  const leftOut = new LeftOutRequests();
  const sampler = new RequestSampler('http', { ...NO_SAMPLE, ...settings }, leftOut);
  const standsFor = ({ durationMs = 1, isStream = false, ...asked }: Asked = {}) => {
    const record = new RequestRecord(logger);
    record.traceId = asked.traceId;
    record.routeSample = asked.routeSample;
    const { handler, route } = asked;
    return sampler.standsFor({
      record,
      handler,
      route: () => route,
      durationMs,
      isStream: () => isStream,
    });
  };
  const total = (): number => [...leftOut.metrics()].reduce((sum, { value }) => sum + value, 0);
  return { standsFor, total, leftOut };
}

const traceOf = (random: string): string => `${'a'.repeat(18)}${random}`;

describe('a request that went well', () => {
  it('is written where nothing is sampled, and stands for nothing but itself', () => {
    const { standsFor, leftOut } = sampling({});
    expect([standsFor(), standsFor()]).toEqual([undefined, undefined]);
    expect([...leftOut.metrics()]).toEqual([]);
  });

  it('is written first and then once in so many, by handler', () => {
    const { standsFor } = sampling({ every: 3 });
    const found = Array.from({ length: 7 }, () => standsFor({ handler: 'Orders.find' }));
    expect(found).toEqual([1, 0, 0, 3, 0, 0, 3]);
    expect(standsFor({ handler: 'Orders.list' })).toBe(1);
  });

  it('is written when it was slow, unless it is a stream', () => {
    const { standsFor } = sampling({ every: 100, slowMs: 10 });
    const found = [{}, {}, {}, { durationMs: 11 }, {}, { durationMs: 11, isStream: true }];
    expect(found.map(standsFor)).toEqual([1, 0, 0, 3, 0, 0]);
  });

  it.each<[string, Asked, number | undefined]>([
    ['the option for its handler', { handler: 'Orders.find', routeSample: 3 }, 2],
    ['the option for its route', { handler: 'Orders.all', route: '/orders', routeSample: 3 }, 4],
    ['its decorator', { handler: 'Orders.other', routeSample: 3 }, 3],
    ['the door', { handler: 'Orders.other' }, 5],
    ['the option that says all', { handler: 'Orders.pay', routeSample: 3 }, undefined],
  ])('is one of as many as %s says', (_, asked, every) => {
    const routes = new Map([
      ['Orders.find', 2],
      ['/orders', 4],
      ['Orders.pay', 1],
    ]);
    const { standsFor } = sampling({ every: 5, routes });
    const found = Array.from({ length: 61 }, () => standsFor(asked));
    expect(found.at(0)).toBe(every && 1);
    expect(found.find((each) => each !== 1 && each !== 0)).toBe(every);
  });

  it('of a trace is chosen by the random bits of its id alone', () => {
    const { standsFor } = sampling({ every: 16 });
    const chosen = ['f0000000000000', 'ffffffffffffff', 'f7000000000000'];
    const leftOut = ['effffffffffffff'.slice(0, 14), '00000000000000', '80000000000000'];
    for (const random of chosen) expect(standsFor({ traceId: traceOf(random) })).toBe(1);
    for (const random of leftOut) expect(standsFor({ traceId: traceOf(random) })).toBe(0);
    expect(standsFor({ traceId: traceOf(chosen[0]!) })).toBe(4);
  });
});

const traceIds = fc.stringMatching(/^[0-9a-f]{14}$/).map(traceOf);

it('what one in more keeps, one in fewer keeps', () => {
  const numbers = fc.integer({ min: 2, max: 1000 });
  fc.assert(
    fc.property(traceIds, numbers, numbers, (traceId, one, other) => {
      const [fewer, more] = [Math.min(one, other), Math.max(one, other)].map((every) =>
        sampling({ every }).standsFor({ traceId }),
      );
      expect(fewer! >= more!).toBe(true);
    }),
  );
});

it('events stand for all requests but those left out since the last', () => {
  const asked = fc.record({
    handler: fc.constantFrom('Orders.find', 'Orders.list'),
    traceId: fc.option(traceIds, { nil: undefined }),
    durationMs: fc.constantFrom(1, 100),
  });
  fc.assert(
    fc.property(fc.array(asked), fc.integer({ min: 2, max: 5 }), (requests, every) => {
      const { standsFor, total } = sampling({ every, slowMs: 50 });
      const last = new Map<string, number>();
      let written = 0;
      let sum = 0;
      for (const { traceId, ...rest } of requests) {
        const found = standsFor(traceId === undefined ? rest : { ...rest, traceId })!;
        last.set(rest.handler, found === 0 ? (last.get(rest.handler) ?? 0) + 1 : 0);
        if (found > 0) written++;
        sum += found;
      }
      const since = [...last.values()].reduce((all, each) => all + each, 0);
      expect(sum + since).toBe(requests.length);
      expect(written + total()).toBe(requests.length);
    }),
  );
});
