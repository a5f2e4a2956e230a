import { ScalarType } from '@bufbuild/protobuf';

/** The integers that a scalar type holds. */
export interface IntegerRange {
  /** As errors call it. */
  readonly type: string;
  readonly min: bigint;
  readonly max: bigint;
}

export const INT32: IntegerRange = { type: 'int32', min: -(2n ** 31n), max: 2n ** 31n - 1n };
export const UINT32: IntegerRange = { type: 'uint32', min: 0n, max: 2n ** 32n - 1n };
export const INT64: IntegerRange = { type: 'int64', min: -(2n ** 63n), max: 2n ** 63n - 1n };
export const UINT64: IntegerRange = { type: 'uint64', min: 0n, max: 2n ** 64n - 1n };

const RANGES: ReadonlyMap<ScalarType, IntegerRange> = new Map([
  [ScalarType.INT32, INT32],
  [ScalarType.SINT32, INT32],
  [ScalarType.SFIXED32, INT32],
  [ScalarType.UINT32, UINT32],
  [ScalarType.FIXED32, UINT32],
  [ScalarType.INT64, INT64],
  [ScalarType.SINT64, INT64],
  [ScalarType.SFIXED64, INT64],
  [ScalarType.UINT64, UINT64],
  [ScalarType.FIXED64, UINT64],
]);

/** The integers of a scalar type; undefined for one that holds something else. */
export function integerRangeOf(type: ScalarType): IntegerRange | undefined {
  return RANGES.get(type);
}

/** Whether a scalar type has 64 bits, which messages keep as bigint or as text. */
export function isLongType(type: ScalarType): boolean {
  const range = RANGES.get(type);
  return range === INT64 || range === UINT64;
}
