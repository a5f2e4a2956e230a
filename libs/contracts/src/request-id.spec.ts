import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { acceptedRequestId } from './request-id.js';

describe('an id that comes in', () => {
  it.each([
    ['letters', 'abc-123', true],
    ['every visible character', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', true],
    ['128 characters', 'x'.repeat(128), true],
    ['129 characters', 'x'.repeat(129), false],
    ['nothing', '', false],
    ['a blank, as several headers are joined', 'a, b', false],
    ['a line break', 'a\nlevel=error', false],
    ['an escape sequence', '\u001b[31m', false],
    ['other letters', 'ü', false],
    ['a list', ['a', 'b'], false],
    ['undefined', undefined, false],
  ])('of %s is taken or replaced', (_what, value, isTaken) => {
    expect(acceptedRequestId(value)).toBe(isTaken ? value : undefined);
  });

  it('is taken exactly when it is 1 to 128 characters from ! to ~', () => {
    const isVisible = (unit: string): boolean => unit >= '!' && unit <= '~';
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 140 }),
          fc.string({ unit: 'grapheme-ascii', maxLength: 140 }),
        ),
        (id) => {
          const isSound = id.length > 0 && id.length <= 128 && id.split('').every(isVisible);
          expect(acceptedRequestId(id)).toBe(isSound ? id : undefined);
        },
      ),
    );
  });
});
