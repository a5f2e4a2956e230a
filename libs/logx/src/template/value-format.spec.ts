import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FieldValue } from '../value/field-value.js';
import { fieldValueOf } from '../value/field-value-of.js';
import { resolveLimits } from '../value/value-limits.js';
import { valueFormat } from './parse-template.js';

/** As Go's fmt and .NET print them, but that an exact tie is rounded away from zero in both. */
const TEXTS: readonly (readonly [string, FieldValue, string | undefined])[] = [
  ['.2f', 41.5, '41.50'],
  ['.2f', 2.675, '2.67'],
  ['.2f', -0.005, '-0.01'],
  ['f', 1.5, '1.500000'],
  ['.0f', 2.5, '3'],
  ['.1f', 1e21, '1000000000000000000000.0'],
  ['8.2f', 1.5, '    1.50'],
  ['-8.2f', 1.5, '1.50    '],
  ['08.2f', -1.5, '-0001.50'],
  ['+.1f', 1.5, '+1.5'],
  ['%.2f', 1.5, '1.50'],
  ['.2f', 7n, '7.00'],
  ['.2f', 'a text', undefined],
  ['.2f', NaN, undefined],
  ['E', NaN, undefined],
  ['G', 'a text', undefined],
  ['05d', 42, '00042'],
  ['05d', -42, '-0042'],
  ['+d', 42, '+42'],
  ['d', 2n ** 70n, '1180591620717411303424'],
  ['d', 1.5, undefined],
  ['x', 255, 'ff'],
  ['X', 255, 'FF'],
  ['X', true, undefined],
  ['#x', 255, '0xff'],
  ['x', -255, '-ff'],
  ['x', 'hi', '6869'],
  ['x', new Uint8Array([0, 255]), '00ff'],
  ['b', 5, '101'],
  ['o', 8, '10'],
  ['e', 150000, '1.500000e+05'],
  ['.1e', 0.00015, '1.5e-04'],
  ['E', 150000, '1.500000E+05'],
  ['E', 'a text', undefined],
  ['g', 0.1, '0.1'],
  ['g', 100000, '100000'],
  ['g', 1000000, '1e+06'],
  ['g', 123456789, '1.23456789e+08'],
  ['g', 0.00001, '1e-05'],
  ['.3g', 1234.5, '1.23e+03'],
  ['.3g', 12.345, '12.3'],
  ['q', 'say "hi"', '"say \\"hi\\""'],
  ['q', 1, undefined],
  ['s', 'text', 'text'],
  ['-6s', 'text', 'text  '],
  ['.2s', 'text', 'te'],
  ['t', true, 'true'],
  ['t', 1, undefined],
  ['v', [1], '[1]'],
  ['000', 7, '007'],
  ['000', -7, '-007'],
  ['0.00', 1.005, '1.00'],
  ['0.00', 0.5, '0.50'],
  ['0.##', 1.5, '1.5'],
  ['0.##', 2, '2'],
  ['#.00', 0.5, '.50'],
  ['.00', 0.5, '.50'],
  ['0.0#', 3, '3.0'],
  ['#,##0.00', 1234567.891, '1,234,567.89'],
  ['#,##0', 12, '12'],
  ['#,##0', -1234567, '-1,234,567'],
  ['0%', 0.415, '42%'],
  ['0.0%', 0.4157, '41.6%'],
  ['N2', 1234.5, '1,234.50'],
  ['N0', 1234567n, '1,234,567'],
  ['N', -1234.567, '-1,234.57'],
  ['P1', 0.4157, '41.6 %'],
  ['P0', 1e308, `${(BigInt(1e308) * 100n).toLocaleString('en')} %`],
  ['X8', 48879, '0000BEEF'],
  ['x4', 255, '00ff'],
  ['D5', 42, '00042'],
  ['D5', -42, '-00042'],
  ['F1', 1.25, '1.3'],
  ['E2', 150000, '1.50E+005'],
  ['B8', 5, '00000101'],
  ['N2', 'a text', undefined],
  ['0.00', null, undefined],
  ['0.00', Infinity, undefined],
];

describe('valueFormat', () => {
  it.each(TEXTS)('%s of %p is %p', (specifier, value, text) => {
    expect(valueFormat(specifier)!(value)).toBe(text);
  });

  it.each(['', 'yyyy-MM-dd', 'nonsense', '.', '%', 'N2x', '0.0.0', '5', 'C2', '99999d', ' '])(
    'does not know %p',
    (specifier) => {
      expect(valueFormat(specifier)).toBeUndefined();
    },
  );

  it('never throws and never fills the memory', () => {
    const specifier = fc.oneof(
      fc.stringMatching(/^[-+# 0%]{0,3}\d{0,3}(\.\d{0,3})?[a-zA-Z]$/),
      fc.stringMatching(/^[A-Z]\d{0,2}$/),
      fc.stringMatching(/^[#0,.%]{1,8}$/),
      fc.string(),
    );
    const value = fc.oneof(fc.double(), fc.bigInt(), fc.string(), fc.anything());
    fc.assert(
      fc.property(specifier, value, (text, raw) => {
        const shown = valueFormat(text)?.(fieldValueOf(raw, resolveLimits())) ?? '';
        expect(typeof shown).toBe('string');
      }),
    );
  });
});
