const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Digits of the longest 64-bit integer. */
const MAX_DIGITS = 20;

/** A JSON number that a double may not hold exactly, kept as it was written. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/**
 * True when some number in a JSON text may lose digits in a double: one of 16 or more digits, or
 * with an exponent. Text inside strings can make it true needlessly, never false.
 */
export function mayLoseDigits(json: string): boolean {
  return /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/.test(json);
}

/** The same question for one number. */
export function isExactNumber(text: string): boolean {
  return !mayLoseDigits(text);
}

/**
 * A number's text as plain integer digits, `1.2e3` as `1200`; null where it is no integer, or
 * one that no 64-bit field can hold.
 */
export function integerDigits(text: string): string | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const significant = digits.replace(/0+$/, '');
  if (significant === '' || /^0+$/.test(significant)) return '0';
  const zeros = digits.length - significant.length - fraction.length + Number(exponent);
  const integer = significant.replace(/^0+/, '');
  if (zeros < 0 || integer.length + zeros > MAX_DIGITS) return null;
  return sign + integer + '0'.repeat(zeros);
}
