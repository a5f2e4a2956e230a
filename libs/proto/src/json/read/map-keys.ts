import { ScalarType } from '@bufbuild/protobuf';
import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { INT32, INT64, type IntegerRange, UINT32, UINT64, integerIn } from './numbers.js';

/** Gives the one text of a map's key, so that `01` and `1` are the same. */
export type ReadKey = (source: JsonSource, key: string) => string;

export function keyReader(type: ScalarType): ReadKey {
  switch (type) {
    case ScalarType.BOOL:
      return readBoolKey;
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return integerKey(INT32);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return integerKey(UINT32);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return integerKey(INT64);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return integerKey(UINT64);
    default:
      return (_source, key) => key;
  }
}

function readBoolKey(source: JsonSource, key: string): string {
  if (key === 'true' || key === 'false') return key;
  return source.fail(`expected true or false as key, got ${quote(key)}`);
}

function integerKey(range: IntegerRange): ReadKey {
  return (source, key) => String(integerIn(source, key, range));
}
