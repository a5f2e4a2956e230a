import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { FieldTest } from '../cel/filter/record-filter.js';
import { CelUint } from '../cel/values/cel-value.js';
import { nanosOf } from '../cel/values/time.js';

const NANOS_OF_MS = 1_000_000n;

/** An integer, of whatever kind. */
export function wholeOf(value: unknown): bigint | undefined {
  if (value instanceof CelUint) return value.value;
  if (typeof value === 'bigint') return value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
}

const INT32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const UINT32 = [0n, 2n ** 32n - 1n] as const;
const RANGES: ReadonlyMap<ScalarType | undefined, readonly [bigint, bigint]> = new Map([
  ...[ScalarType.INT32, ScalarType.SINT32, ScalarType.SFIXED32].map(
    (each) => [each, INT32] as const,
  ),
  ...[ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64].map(
    (each) => [each, INT64] as const,
  ),
  ...[ScalarType.UINT32, ScalarType.FIXED32].map((each) => [each, UINT32] as const),
]);

/** The integers that a field can have; undefined: not known, or not those of a column of integers. */
export function rangeOf(desc: DescMessage, path: string): readonly [bigint, bigint] | undefined {
  const [name, ...rest] = path.split('.');
  const field = desc.fields.find((each) => each.name === name)!;
  if (rest.length > 0) return rangeOf(field.message!, rest.join('.'));
  if (field.enum !== undefined) return INT32;
  // A wrapper has a field of its type.
  return RANGES.get(field.message === undefined ? field.scalar : field.message.fields[0]!.scalar);
}

export function prismaValue({ field }: FieldTest, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw inexpressible(field.path, 'an infinite number');
  }
  if (['string', 'boolean', 'number'].includes(typeof value) || value instanceof Uint8Array) {
    return value;
  }
  const whole = value instanceof CelUint ? value.value : value;
  if (typeof whole === 'bigint') {
    if (BigInt.asIntN(64, whole) !== whole) throw inexpressible(field.path, 'so great a number');
    const number = Number(whole);
    return Number.isSafeInteger(number) ? number : whole;
  }
  const nanos = nanosOf(value as Timestamp);
  if (nanos % NANOS_OF_MS !== 0n) {
    throw inexpressible(field.path, 'a time between two milliseconds');
  }
  return new Date(Number(nanos / NANOS_OF_MS));
}

export function inexpressible(path: string, what: string): Error {
  return new Error(
    `authz: the filter tests ${what} of "${path}", which prismaWhere cannot express; use $queryRaw with toSqlTemplate`,
  );
}
