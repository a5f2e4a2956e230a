import { refuse } from './refuse.js';

const DECIMAL = /^(?:0|-?[1-9]\d{0,19})$/;

/**
 * An integer of int64, sint64 or sfixed64. A safe integer and decimal digits count as the bigint,
 * as many a database hands them out; a larger number may have lost digits and is refused.
 */
export function signedValue(value: unknown): bigint {
  const integer = typeof value === 'bigint' ? value : converted(value);
  if (integer !== undefined && BigInt.asIntN(64, integer) === integer) return integer;
  return refuse('a bigint (int64)', value);
}

/** An integer of uint64 or fixed64; numbers and texts as with {@link signedValue}. */
export function unsignedValue(value: unknown): bigint {
  const integer = typeof value === 'bigint' ? value : converted(value);
  if (integer !== undefined && BigInt.asUintN(64, integer) === integer) return integer;
  return refuse('a bigint (uint64)', value);
}

function converted(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && DECIMAL.test(value) ? BigInt(value) : undefined;
}
