import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoText } from './iso-text.js';

describe('isoText', () => {
  it('returns the text of toISOString for any time, also of another day than before', () => {
    const near = fc.integer({ min: -100_000_000, max: 100_000_000 });
    const time = fc.oneof(
      near,
      fc.date({ noInvalidDate: true }).map((date) => date.getTime()),
    );
    fc.assert(
      fc.property(fc.array(time), (times) => {
        expect(times.map(isoText)).toEqual(times.map((each) => new Date(each).toISOString()));
      }),
      { numRuns: 300 },
    );
  });

  it.each([-8.64e15, 8.64e15, 0, -1, 86_399_999, 86_400_000])(
    'returns the text of toISOString for %d',
    (time) => {
      expect(isoText(time)).toBe(new Date(time).toISOString());
    },
  );
});
