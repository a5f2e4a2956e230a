import { describe, expect, it } from '@jest/globals';
import { RequestPump } from './request-pump.js';

/** What a call is given of requests, in order; it takes each at once. */
function pumped(requests: unknown) {
  const told: string[] = [];
  let over = (): void => {};
  const ended = new Promise<void>((resolve) => (over = resolve));
  const pump = new RequestPump(requests as Iterable<unknown>, {
    send(request, taken) {
      told.push(`send ${String(request)}`);
      taken();
    },
    halfClose() {
      told.push('half-close');
      over();
    },
    fail(error) {
      told.push(`fail ${(error as Error).message}`);
      over();
    },
  });
  return { pump, told, ended };
}

/** An iterator that says when it is asked to clean up. */
function source(log: string[], next: (turn: number) => IteratorResult<number>) {
  let turn = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => next(turn++),
      return: async () => {
        log.push('return');
        return { done: true as const, value: undefined };
      },
    }),
  };
}

describe('the requests of a stream', () => {
  it.each<[string, unknown]>([
    ['an array', [1, 2]],
    ['a set', new Set([1, 2])],
    [
      'a generator',
      (function* () {
        yield* [1, 2];
      })(),
    ],
    [
      'an asynchronous generator',
      (async function* () {
        yield* [1, 2];
      })(),
    ],
  ])('may be %s', async (_what, requests) => {
    const { pump, told, ended } = pumped(requests);
    pump.start();
    await ended;
    expect(told).toEqual(['send 1', 'send 2', 'half-close']);
  });

  it.each<[string, unknown]>([
    ['an object', {}],
    ['a number', 5],
    ['an object whose iterator is none', { [Symbol.iterator]: 5, [Symbol.asyncIterator]: null }],
  ])('must not be %s', (_what, requests) => {
    expect(() => pumped(requests)).toThrow(
      new TypeError(
        'grpc: the requests of a stream must be an array, a generator or another iterable',
      ),
    );
  });

  it('that fail are the failure of the call, and are not asked to clean up after it', async () => {
    const log: string[] = [];
    const { pump, told, ended } = pumped(
      source(log, (turn) => {
        if (turn === 1) throw new Error('no more paper');
        return { done: false, value: turn };
      }),
    );
    pump.start();
    await ended;
    pump.stop();
    expect([...told, ...log]).toEqual(['send 0', 'fail no more paper']);
  });

  it('that fail once the call has ended are no failure of it', async () => {
    const log: string[] = [];
    const { pump, told } = pumped(
      source(log, (turn) => {
        if (turn === 0) return { done: false, value: turn };
        pump.stop();
        throw new Error('no more paper');
      }),
    );
    pump.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect([...told, ...log]).toEqual(['send 0', 'return']);
  });

  it('that end once the call has ended are not sent as the end of it', async () => {
    const { pump, told } = pumped(
      source([], (turn) => {
        if (turn === 0) return { done: false, value: turn };
        pump.stop();
        return { done: true, value: undefined };
      }),
    );
    pump.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['send 0']);
  });

  it('that have ended are not asked to clean up', async () => {
    const log: string[] = [];
    const { pump, ended } = pumped(source(log, () => ({ done: true, value: undefined })));
    pump.start();
    await ended;
    pump.stop();
    expect(log).toEqual([]);
  });

  it('are asked to clean up, once, where the call ends before them', async () => {
    const log: string[] = [];
    const { pump, told } = pumped(source(log, (turn) => ({ done: false, value: turn })));
    pump.stop();
    pump.stop();
    pump.start();
    expect([...told, ...log]).toEqual(['return']);
  });
});
