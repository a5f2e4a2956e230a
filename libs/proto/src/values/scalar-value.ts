import { isUint8Array } from 'node:util/types';
import { ScalarType, type DescEnum, type DescField } from '@bufbuild/protobuf';
import { isLongType } from './integer-range.js';
import { refuse } from './value-error.js';

/** A value of a scalar field as protobuf-es keeps it in a message. */
export type ScalarValue = number | bigint | boolean | string | Uint8Array;

/** Gives the value that the wire makes of one, or throws a ValueError without a place. */
type ScalarCheck = (value: unknown) => ScalarValue;

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

/** Bytes, as they were given: code that keeps them must copy them. */
export function bytesValue(value: unknown): Uint8Array {
  return isUint8Array(value) ? value : refuse('a Uint8Array', value);
}

/**
 * The check for numbers of a field's enum. An open enum takes every int32. A closed one takes its
 * own numbers, but every int32 in lists and maps, where protobuf-es keeps the others too.
 */
export function enumCheck(
  field: DescField & { readonly enum: DescEnum },
): (value: unknown) => number {
  const { enum: desc } = field;
  const expected = `a number of enum ${desc.typeName}`;
  if (desc.open || field.fieldKind !== 'enum') {
    return (value) => {
      if (typeof value === 'number' && (value | 0) === value) return int32Value(value);
      return refuse(expected, value);
    };
  }
  const numbers = new Set<unknown>(desc.values.map(({ number }) => number));
  return (value) => (numbers.has(value) ? int32Value(value) : refuse(expected, value));
}
