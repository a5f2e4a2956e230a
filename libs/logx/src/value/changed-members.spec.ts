import { describe, expect, it } from '@jest/globals';
import { changedMembers } from './changed-members.js';

describe('the members that have changed', () => {
  it.each<[object | undefined, object | undefined, object]>([
    [undefined, { a: 1 }, { a: 1 }],
    [{ a: 1 }, undefined, {}],
    [{ a: 1, b: NaN }, { a: 1, b: NaN }, {}],
    [
      { a: 1, b: 2 },
      { a: 1, b: 3, c: 4 },
      { b: 3, c: 4 },
    ],
    [{ a: 0 }, { a: -0 }, { a: -0 }],
  ])('from %p to %p are %p', (before, after, changed) => {
    expect(changedMembers(before as never, after as never)).toEqual(changed);
  });
});
