import { describe, expect, it } from '@jest/globals';
import { knowingItsCall, mayBePaced, paced } from './paced.js';

/** Values that come for ever, until somebody leaves. */
function endless(leave: () => never): AsyncIterable<number> {
  const next = (): Promise<IteratorResult<number>> => Promise.resolve({ done: false, value: 1 });
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
}

describe('a source of values that is left', () => {
  it.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['answers with no promise', () => undefined as never],
  ])('and %s does not disturb who leaves', (_, leave) => {
    const subscription = paced(endless(leave)).subscribe();
    expect(() => subscription.unsubscribe()).not.toThrow();
  });
});

describe('a handler that is answered with a stream', () => {
  it('runs within its call only where its answers may be paced', () => {
    const handler = (): Promise<void> => Promise.resolve();
    mayBePaced('/t.T/Paced');
    expect(knowingItsCall('/t.T/Plain', handler)).toBe(handler);
    expect(knowingItsCall('/t.T/Paced', handler)).not.toBe(handler);
  });
});
