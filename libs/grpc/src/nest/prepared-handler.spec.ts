import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EMPTY, type Observable, lastValueFrom, of, toArray } from 'rxjs';
import { answering } from './prepared-handler.js';

const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
afterEach(() => expect(uncaught.splice(0)).toEqual([]));

async function answersOf(answer: unknown, streams: boolean): Promise<unknown> {
  const sent = await answering(() => Promise.resolve(answer), streams)();
  return lastValueFrom((sent as Observable<unknown>).pipe(toArray()));
}

describe('an answer of a handler', () => {
  it.each([true, false])('that is nothing is the empty message; streams: %s', async (streams) => {
    expect(await answersOf(of(null, undefined, { n: 1 }), streams)).toEqual([{}, {}, { n: 1 }]);
    expect(await answering(() => Promise.resolve(null), streams)()).toEqual({});
  });

  it('that is a promise is awaited, in order', async () => {
    const later = new Promise((resolve) => setImmediate(() => resolve(1)));
    expect(await answersOf(of(later, 2), true)).toEqual([1, 2]);
  });

  it('that is a promise which rejects is an error', async () => {
    const error = new Error('disk full');
    await expect(answersOf(of(Promise.reject(error)), false)).rejects.toBe(error);
  });

  it('that does not come is an error, where a message is expected', async () => {
    await expect(answersOf(EMPTY, false)).rejects.toThrow('completed without a value');
    expect(await answersOf(EMPTY, true)).toEqual([]);
  });
});
