import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { integerRangeOf } from '../../values/integer-range.js';
import { type MapKeyType, mapKeyCheck } from '../../values/map-key.js';
import { writeJsonText } from './text.js';
import { unexpected } from './unwritable-error.js';

/** Writes the key of a map's entry, between the comma and the value. */
export function writeMapKey(sink: ByteSink, key: string): void {
  sink.reserve(1);
  sink.bytes[sink.at++] = 0x2c;
  writeJsonText(sink, key);
  sink.reserve(1);
  sink.bytes[sink.at++] = 0x3a;
}

/** Refuses keys that no value of the key's type has; undefined where every text is one. */
export function jsonKeyCheck(type: MapKeyType): ((key: string) => void) | undefined {
  if (type === ScalarType.STRING) return undefined;
  const check = mapKeyCheck(type);
  const expected = `a map key of type ${integerRangeOf(type)?.type ?? 'bool'}`;
  return (key) => {
    try {
      check(key);
    } catch {
      unexpected(expected, key);
    }
  };
}
