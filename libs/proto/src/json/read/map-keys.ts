import { ScalarType } from '@bufbuild/protobuf';
import { type IntegerRange, integerRangeOf } from '../../values/integer-range.js';
import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { integerIn } from './numbers.js';

/** Gives the one text of a map's key, so that `01` and `1` are the same. */
export type ReadMapKey = (source: JsonSource, key: string) => string;

export function mapKeyReader(type: ScalarType): ReadMapKey {
  const range = integerRangeOf(type);
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
