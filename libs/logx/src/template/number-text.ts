/** Digits after the point that JavaScript can write. */
const MAX_DIGITS = 100;

/** The number with this many digits after the point, whatever its size. */
export function fixed(value: number | bigint, digits: number): string {
  const count = Math.min(digits, MAX_DIGITS);
  if (typeof value === 'number' && Math.abs(value) < 1e21) return value.toFixed(count);
  return count === 0 ? String(BigInt(value)) : `${BigInt(value)}.${'0'.repeat(count)}`;
}

/** Such as `1.50e+05`, with at least this many digits in the exponent. */
export function exponential(value: number, digits: number | undefined, inExponent: number): string {
  const count = digits === undefined ? undefined : Math.min(digits, MAX_DIGITS);
  const [mantissa, exponent] = value.toExponential(count).split('e') as [string, string];
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(inExponent, '0')}`;
}

/** Commas between the thousands of the digits before the point. */
export function grouped(text: string): string {
  const [whole, fraction] = text.split('.') as [string, string | undefined];
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

/** Zeros between the sign and the digits, up to the width. */
export function zeroPadded(text: string, width: number): string {
  const [sign, digits] = /^[-+ ]/.test(text) ? [text[0]!, text.slice(1)] : ['', text];
  return sign + digits.padStart(width - sign.length, '0');
}

export function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

export function isFiniteNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isFinite(value);
}

/** The whole number in another base; BigInt, as a large double has digits beyond its precision. */
export function inBase(value: number | bigint, base: number): string {
  return (typeof value === 'number' ? BigInt(value) : value).toString(base);
}
