import { endianness } from 'node:os';

const signed = new BigInt64Array(1);
const unsigned = new BigUint64Array(signed.buffer);
const halves = new Int32Array(signed.buffer);
const LOWER = endianness() === 'LE' ? 0 : 1;
const UPPER = 1 - LOWER;

/**
 * Takes the lower 64 bits of an integer, of which {@link lowerHalf} and {@link upperHalf} are then
 * the halves. Ten times as fast as `Number`, and five times as fast as a DataView on Node 20.
 */
export function splitLong(value: bigint): void {
  signed[0] = value;
}

/** The lower half of what was split last, as a signed integer. */
export function lowerHalf(): number {
  return halves[LOWER]!;
}

/** The upper half of what was split last, as a signed integer. */
export function upperHalf(): number {
  return halves[UPPER]!;
}

/** The signed integer of 64 bits that has these halves. */
export function signedOf(lower: number, upper: number): bigint {
  halves[LOWER] = lower;
  halves[UPPER] = upper;
  return signed[0]!;
}

/** The unsigned integer of 64 bits that has these halves. */
export function unsignedOf(lower: number, upper: number): bigint {
  halves[LOWER] = lower;
  halves[UPPER] = upper;
  return unsigned[0]!;
}
