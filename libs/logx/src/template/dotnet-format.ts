import type { FieldValue } from '../value/field-value.js';
import {
  exponential,
  fixed,
  grouped,
  inBase,
  isFiniteNumber,
  isWhole,
  zeroPadded,
} from './number-text.js';
import type { ValueFormat } from './value-format.js';

const STANDARD = /^([BDEFNPXbdefnpx])(\d{0,2})$/;
const CUSTOM = /^([#,0]*[#0][#,0]*)?(?:\.([#0]{0,30}))?(%?)$/;

type NumberText = (value: number | bigint, digits: number | undefined) => string | undefined;

const STANDARDS: Readonly<Record<string, NumberText>> = {
  B: (value, digits = 0) => wholeText(value, 2, digits),
  D: (value, digits = 0) => wholeText(value, 10, digits),
  X: (value, digits = 0) => wholeText(value, 16, digits)?.toUpperCase(),
  x: (value, digits = 0) => wholeText(value, 16, digits),
  E: (value, digits = 6) => exponential(Number(value), digits, 3).toUpperCase(),
  e: (value, digits = 6) => exponential(Number(value), digits, 3),
  F: (value, digits = 2) => fixed(value, digits),
  N: (value, digits = 2) => grouped(fixed(value, digits)),
  P: (value, digits = 2) => `${grouped(fixed(hundredfold(value), digits))} %`,
};

/**
 * The numeric formats of .NET in the invariant culture: standard ones such as `N2`, `P1`, `X8` and custom
 * ones such as `000`, `0.00`, `#,##0.00`, `0%`.
 */
export function dotnetFormat(text: string): ValueFormat | undefined {
  const [, letter, digits] = STANDARD.exec(text) ?? [];
  if (letter !== undefined) {
    const standard = STANDARDS[letter] ?? STANDARDS[letter.toUpperCase()]!;
    return ofNumbers((value) => standard(value, digits === '' ? undefined : Number(digits)));
  }
  const [, whole = '', fraction = '', percent] = CUSTOM.exec(text) ?? [];
  return whole === '' && fraction === '' ? undefined : custom(whole, fraction, percent === '%');
}

function ofNumbers(format: (value: number | bigint) => string | undefined): ValueFormat {
  return (value: FieldValue) => (isFiniteNumber(value) ? format(value) : undefined);
}

/** `0` is a digit that is always shown, `#` a digit that is shown only if the number has it. */
function custom(whole: string, fraction: string, percent: boolean): ValueFormat {
  const places = whole.replaceAll(',', '');
  const wholeDigits = places.includes('0') ? places.length - places.indexOf('0') : 0;
  const fractionDigits = fraction.lastIndexOf('0') + 1;
  const optional = new RegExp(`0{0,${fraction.length - fractionDigits}}$`);
  return ofNumbers((value) => {
    const text = fixed(percent ? hundredfold(value) : value, fraction.length);
    const sign = text.startsWith('-') ? '-' : '';
    const [before, after = ''] = text.slice(sign.length).split('.') as [string, string?];
    const shown = (before === '0' ? '' : before).padStart(wholeDigits, '0');
    const decimals = after.replace(optional, '');
    const number = (whole.includes(',') ? grouped(shown) : shown) + (decimals && `.${decimals}`);
    return sign + number + (percent ? '%' : '');
  });
}

function wholeText(value: number | bigint, base: number, digits: number): string | undefined {
  if (!isWhole(value)) return undefined;
  const sign = value < 0 ? 1 : 0;
  return zeroPadded(inBase(value, base), digits + sign);
}

function hundredfold(value: number | bigint): number | bigint {
  if (typeof value === 'bigint') return value * 100n;
  return Number.isFinite(value * 100) ? value * 100 : BigInt(value) * 100n;
}
