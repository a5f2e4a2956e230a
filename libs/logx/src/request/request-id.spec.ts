import { describe, expect, it } from '@jest/globals';
import { newId } from '../context/new-id.js';
import { acceptedRequestId, safeGenerator } from './request-id.js';

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
});

describe('a generator', () => {
  it('makes 128-bit hexadecimal ids, all different', () => {
    const ids = Array.from({ length: 1000 }, safeGenerator(undefined));
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(newId()).toHaveLength(32);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no ids left');
      },
    ],
    ['makes what cannot be a header', () => 'a\r\nb'],
  ])('that %s is replaced', (_what, generate) => {
    expect(safeGenerator(generate)()).toMatch(/^[0-9a-f]{32}$/);
  });

  it('of the user is used', () => {
    expect(safeGenerator(() => 'mine-1')()).toBe('mine-1');
  });
});
