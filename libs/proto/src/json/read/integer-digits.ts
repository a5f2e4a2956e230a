const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Digits of the longest 64-bit integer. */
const MAX_DIGITS = 20;

/**
 * The longest text that is tried as a 64-bit integer. Leading and trailing zeros have no end, but
 * to look at millions of them takes long.
 */
const LONGEST_INTEGER_TEXT = 64;

/**
 * A number's text as plain integer digits, `1.2e3` as `1200`; null where it is not an integer, or one that
 * no 64-bit field can hold.
 */
export function integerDigits(text: string): string | null {
  if (text.length > LONGEST_INTEGER_TEXT) return null;
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
