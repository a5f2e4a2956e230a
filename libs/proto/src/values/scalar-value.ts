import { ScalarType } from '@bufbuild/protobuf';
import { bytesValue } from './bytes-value.js';
import { isLongType } from './integer-range.js';
import { signedValue, unsignedValue } from './long-value.js';
import { refuse } from './refuse.js';

/** A value of a scalar field as protobuf-es keeps it in a message. */
export type ScalarValue = number | bigint | boolean | string | Uint8Array;

/** Gives the value that the wire makes of one, or throws a ValueError without a place. */
export type ScalarCheck = (value: unknown) => ScalarValue;

/**
 * The check for values of a scalar type.
 *
 * @param longAsString whether the field keeps 64-bit integers as texts (`jstype = JS_STRING`)
 */
export function scalarCheck(type: ScalarType, longAsString = false): ScalarCheck {
  const check = CHECKS[type];
  return longAsString && isLongType(type) ? (value) => String(check(value)) : check;
}

/** An integer of int32, sint32 or sfixed32, or of an open enum. */
export function int32Value(value: unknown): number {
  if (typeof value === 'number') {
    const integer = value | 0;
    if (integer === value) return integer;
  }
  return refuse('an integer (int32)', value);
}

/** An integer of uint32 or fixed32. */
export function uint32Value(value: unknown): number {
  if (typeof value === 'number') {
    const integer = value >>> 0;
    if (integer === value) return integer;
  }
  return refuse('an integer (uint32)', value);
}

/** A number, rounded to the nearest that a float can hold. One that would become infinite is refused. */
export function floatValue(value: unknown): number {
  if (typeof value === 'number') {
    const rounded = Math.fround(value);
    if (Number.isFinite(rounded) || !Number.isFinite(value)) return rounded;
  }
  return refuse('a number (float)', value);
}

export function doubleValue(value: unknown): number {
  return typeof value === 'number' ? value : refuse('a number (double)', value);
}

export function boolValue(value: unknown): boolean {
  return typeof value === 'boolean' ? value : refuse('a boolean', value);
}

/** A text; a surrogate without its other half becomes U+FFFD, as UTF-8 cannot hold it. */
export function stringValue(value: unknown): string {
  if (typeof value !== 'string') return refuse('a string', value);
  return value.isWellFormed() ? value : value.toWellFormed();
}

const CHECKS: Readonly<Record<ScalarType, ScalarCheck>> = {
  [ScalarType.DOUBLE]: doubleValue,
  [ScalarType.FLOAT]: floatValue,
  [ScalarType.INT32]: int32Value,
  [ScalarType.SINT32]: int32Value,
  [ScalarType.SFIXED32]: int32Value,
  [ScalarType.UINT32]: uint32Value,
  [ScalarType.FIXED32]: uint32Value,
  [ScalarType.INT64]: signedValue,
  [ScalarType.SINT64]: signedValue,
  [ScalarType.SFIXED64]: signedValue,
  [ScalarType.UINT64]: unsignedValue,
  [ScalarType.FIXED64]: unsignedValue,
  [ScalarType.BOOL]: boolValue,
  [ScalarType.STRING]: stringValue,
  [ScalarType.BYTES]: bytesValue,
};
