import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { writeText } from './text.js';
import { unexpected } from './unwritable-error.js';

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** Writes the key of a map's entry, between the comma and the value. */
export function writeMapKey(sink: ByteSink, key: string): void {
  sink.reserve(1);
  sink.bytes[sink.at++] = 0x2c;
  writeText(sink, key);
  sink.reserve(1);
  sink.bytes[sink.at++] = 0x3a;
}

/** Refuses keys that no value of the key's type has; undefined where every text is one. */
export function mapKeyCheck(type: ScalarType): ((key: string) => void) | undefined {
  switch (type) {
    case ScalarType.STRING:
      return undefined;
    case ScalarType.BOOL:
      return (key) => {
        if (key !== 'true' && key !== 'false') unexpectedKey('bool', key);
      };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return integerCheck('int32', -(2n ** 31n), 2n ** 31n - 1n);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return integerCheck('uint32', 0n, 2n ** 32n - 1n);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return integerCheck('uint64', 0n, 2n ** 64n - 1n);
    default:
      return integerCheck('int64', -(2n ** 63n), 2n ** 63n - 1n);
  }
}

function integerCheck(type: string, min: bigint, max: bigint): (key: string) => void {
  return (key) => {
    if (!INTEGER.test(key)) unexpectedKey(type, key);
    const value = BigInt(key);
    if (value < min || value > max) unexpectedKey(type, key);
  };
}

function unexpectedKey(type: string, key: string): never {
  return unexpected(`a map key of type ${type}`, key);
}
