import { describe, expect, it } from '@jest/globals';
import { History } from './history.js';

describe('a history', () => {
  it('numbers what comes, and forgets the oldest beyond its capacity', () => {
    const history = new History<{ readonly word: string }>(3);
    expect([history.lastId, history.since(0)]).toEqual([0, []]);
    for (const word of ['a', 'b', 'c', 'd', 'e']) history.add({ word });
    expect(history.lastId).toBe(5);
    expect(history.since(0)).toEqual([
      { word: 'c', id: 3 },
      { word: 'd', id: 4 },
      { word: 'e', id: 5 },
    ]);
    expect(history.since(4)).toEqual([{ word: 'e', id: 5 }]);
    expect(history.since(5)).toEqual([]);
  });
});
