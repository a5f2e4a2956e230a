import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { integerDigits } from './numbers.js';

describe('integerDigits', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['0e999999999999', '0'],
    ['0.000', '0'],
    ['1.2e3', '1200'],
    ['-1.20e1', '-12'],
    ['100e-2', '1'],
    ['0.5e1', '5'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740993.0', '9007199254740993'],
    ['1.8446744073709551615e19', '18446744073709551615'],
  ])('reads %s as %s', (text, digits) => {
    expect(integerDigits(text)).toBe(digits);
  });

  it.each([
    '1.5',
    '9007199254740993.5',
    '1e-1',
    '1e21',
    '1e999999999',
    '-1e400',
    `0.${'0'.repeat(1_000_000)}1`,
  ])('finds no 64-bit integer in %.30s', (text) => {
    expect(integerDigits(text)).toBeNull();
  });

  it('keeps every 64-bit integer, wherever the point and the exponent put it', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
        fc.nat({ max: 18 }),
        (integer, shift) => {
          const digits = String(integer)
            .replace('-', '')
            .padStart(shift + 1, '0');
          const at = digits.length - shift;
          const fraction = shift === 0 ? '' : `.${digits.slice(at)}`;
          const text = `${integer < 0n ? '-' : ''}${digits.slice(0, at)}${fraction}e${shift}`;
          expect(integerDigits(text)).toBe(String(integer));
        },
      ),
    );
  });
});
