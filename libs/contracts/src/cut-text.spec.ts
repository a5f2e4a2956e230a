import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutText } from './cut-text.js';

it.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['ab😀cd', 4, 'ab…'],
  ['ab😀cd', 5, 'ab😀…'],
  ['😀', 1, '…'],
])('cutText(%j, %i) is %j', (text, limit, cut) => {
  expect(cutText(text, limit)).toBe(cut);
});

it('cutText leaves well-formed text well-formed', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (whole, limit) => {
      const cut = cutText(whole, limit);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(limit);
      expect(whole.startsWith(cut === whole ? cut : cut.slice(0, -1))).toBe(true);
    }),
  );
});
