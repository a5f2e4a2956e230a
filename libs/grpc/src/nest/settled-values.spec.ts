import { describe, expect, it } from '@jest/globals';
import {
  Observable,
  Subject,
  from,
  lastValueFrom,
  of,
  range,
  take,
  tap,
  throwError,
  toArray,
} from 'rxjs';
import { settledValues } from './settled-values.js';

const later = <T>(value: T): Promise<T> =>
  new Promise((resolve) => setImmediate(() => resolve(value)));

const all = (source: Observable<unknown>): Promise<unknown[]> =>
  lastValueFrom(settledValues(source).pipe(toArray()));

async function cpuMilliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('settled values', () => {
  it('keep the order of values and promises', async () => {
    expect(await all(from([1, later(2), 3, later(4), later(5), 6]))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('end after the last promise, however many values wait behind one', async () => {
    const numbers = Array.from({ length: 50_000 }, (_, index) => index);
    expect(await all(from([later(-1), ...numbers]))).toEqual([-1, ...numbers]);
  });

  it('go on in order where more values come after those that waited', async () => {
    const source = new Subject<unknown>();
    const seen: unknown[] = [];
    settledValues(source).subscribe((value) => seen.push(value));
    for (const first of [1, 3, 5]) {
      const promise = later(first);
      source.next(promise);
      source.next(first + 1);
      await promise;
      await later(undefined);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('that wait behind a promise take a time that grows with their number, not its square', async () => {
    const numbers = Array.from({ length: 300_000 }, (_, index) => index);
    // A tenth of a second; by the square it is a dozen of them.
    expect(await cpuMilliseconds(() => all(from([later(-1), ...numbers])))).toBeLessThan(4_000);
  });

  it('that reject before their turn fail the stream then, and nobody else', async () => {
    const error = new Error('disk full');
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const seen: unknown[] = [];
      const slow = new Promise((resolve) => setTimeout(resolve, 20, 1));
      const source = from([slow, Promise.reject(error)]);
      const end = new Promise((resolve) => {
        settledValues(source).subscribe({ next: (value) => seen.push(value), error: resolve });
      });
      expect(await end).toBe(error);
      expect(seen).toEqual([1]);
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('that are thenables but no promises are asked once, in their turn', async () => {
    const asked: string[] = [];
    const query = (name: string): object => {
      const run = (done: (value: string) => void): void => {
        asked.push(name);
        setImmediate(done, name);
      };
      return new Proxy(
        {},
        { has: () => true, get: (_, key) => (key === 'then' ? run : undefined) },
      );
    };
    const values = settledValues(of(query('first'), query('second')));
    await lastValueFrom(values.pipe(tap((value) => asked.push(`given ${String(value)}`))));
    expect(asked).toEqual(['first', 'given first', 'second', 'given second']);
  });

  it('that are emitted while one is given come after it', async () => {
    const source = new Subject<number>();
    const seen: string[] = [];
    settledValues(source).subscribe((value) => {
      seen.push(`begin ${String(value)}`);
      if (value === 1) source.next(2);
      seen.push(`end ${String(value)}`);
    });
    source.next(1);
    expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  it('fail at once when the source fails, and when a promise rejects', async () => {
    const error = new Error('disk full');
    await expect(all(throwError(() => error))).rejects.toBe(error);
    await expect(all(from([1, Promise.reject(error), 2]))).rejects.toBe(error);
    const failing = new Observable((subscriber) => {
      subscriber.next(new Promise(() => {}));
      subscriber.error(error);
    });
    await expect(all(failing)).rejects.toBe(error);
  });

  it('stop a source that emits at once when nobody wants more', async () => {
    let made = 0;
    const counting = range(1, 1_000).pipe((source) => {
      return new Observable<number>((subscriber) =>
        source.subscribe({
          next: (value) => {
            if (subscriber.closed) return;
            made += 1;
            subscriber.next(value);
          },
          complete: () => subscriber.complete(),
        }),
      );
    });
    expect(await lastValueFrom(settledValues(counting).pipe(take(3), toArray()))).toEqual([
      1, 2, 3,
    ]);
    expect(made).toBe(4);
  });

  it('leave the source when their subscriber leaves', () => {
    const source = new Subject();
    const subscription = settledValues(source).subscribe();
    expect(source.observed).toBe(true);
    subscription.unsubscribe();
    expect(source.observed).toBe(false);
  });
});
