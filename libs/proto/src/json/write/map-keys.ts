import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { type IntegerRange, integerRangeOf } from '../../values/integer-range.js';
import { writeJsonText } from './text.js';
import { unexpected } from './unwritable-error.js';

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** Writes the key of a map's entry, between the comma and the value. */
export function writeMapKey(sink: ByteSink, key: string): void {
  sink.reserve(1);
  sink.bytes[sink.at++] = 0x2c;
  writeJsonText(sink, key);
  sink.reserve(1);
  sink.bytes[sink.at++] = 0x3a;
}

/** Refuses keys that no value of the key's type has; undefined where every text is one. */
export function jsonKeyCheck(type: ScalarType): ((key: string) => void) | undefined {
  const range = integerRangeOf(type);
  if (range !== undefined) return integerCheck(range);
  return type === ScalarType.BOOL ? checkBool : undefined;
}

function checkBool(key: string): void {
  if (key !== 'true' && key !== 'false') unexpectedKey('bool', key);
}

function integerCheck({ type, min, max }: IntegerRange): (key: string) => void {
  return (key) => {
    if (!INTEGER.test(key)) unexpectedKey(type, key);
    const value = BigInt(key);
    if (value < min || value > max) unexpectedKey(type, key);
  };
}

function unexpectedKey(type: string, key: string): never {
  return unexpected(`a map key of type ${type}`, key);
}
