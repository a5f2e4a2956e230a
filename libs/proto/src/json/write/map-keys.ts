import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
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

const INT32 = integerCheck('int32', -(2n ** 31n), 2n ** 31n - 1n);
const UINT32 = integerCheck('uint32', 0n, 2n ** 32n - 1n);
const INT64 = integerCheck('int64', -(2n ** 63n), 2n ** 63n - 1n);
const UINT64 = integerCheck('uint64', 0n, 2n ** 64n - 1n);

const CHECKS: ReadonlyMap<ScalarType, (key: string) => void> = new Map([
  [ScalarType.BOOL, checkBool],
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

/** Refuses keys that no value of the key's type has; undefined where every text is one. */
export function jsonKeyCheck(type: ScalarType): ((key: string) => void) | undefined {
  return CHECKS.get(type);
}

function checkBool(key: string): void {
  if (key !== 'true' && key !== 'false') unexpectedKey('bool', key);
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
