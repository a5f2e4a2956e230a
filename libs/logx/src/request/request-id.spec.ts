import { describe, expect, it } from '@jest/globals';
import { newId } from '../context/new-id.js';
import { safeGenerator } from './request-id.js';

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
    expect(safeGenerator(generate)('')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('of the user is used', () => {
    expect(safeGenerator((subject: string) => `mine-${subject}`)('1')).toBe('mine-1');
  });
});
