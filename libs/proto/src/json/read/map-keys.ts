import { ScalarType } from '@bufbuild/protobuf';
import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { INT32, INT64, type IntegerRange, UINT32, UINT64, integerIn } from './numbers.js';

/** Gives the one text of a map's key, so that `01` and `1` are the same. */
export type ReadMapKey = (source: JsonSource, key: string) => string;

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

export function mapKeyReader(type: ScalarType): ReadMapKey {
  const range = RANGES.get(type);
  if (range !== undefined) return integerKey(range);
  return type === ScalarType.BOOL ? readBoolKey : (_source, key) => key;
}

function readBoolKey(source: JsonSource, key: string): string {
  if (key === 'true' || key === 'false') return key;
  return source.fail(`expected true or false as key, got ${quote(key)}`);
}

function integerKey(range: IntegerRange): ReadMapKey {
  return (source, key) => String(integerIn(source, key, range));
}
