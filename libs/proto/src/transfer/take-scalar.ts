import { ScalarType } from '@bufbuild/protobuf';
import { bytesValue } from '../values/bytes-value.js';
import { scalarCheck, stringValue } from '../values/scalar-value.js';
import { HEAD_BYTES, type Take, count } from './walk.js';

/** UTF-8 takes up to three bytes for a unit of UTF-16. */
export const BYTES_OF_UNIT = 3;

/** How values of a scalar type are taken. */
export function takeScalar(type: ScalarType, longAsString = false): Take {
  if (type === ScalarType.STRING) return takeString;
  if (type === ScalarType.BYTES) return takeBytes;
  return scalarCheck(type, longAsString);
}

export const takeString: Take = (value, walk) => {
  const text = stringValue(value);
  count(walk, HEAD_BYTES + BYTES_OF_UNIT * text.length);
  return text;
};

const takeBytes: Take = (value, walk) => {
  const bytes = bytesValue(value);
  count(walk, HEAD_BYTES + bytes.length);
  return new Uint8Array(bytes);
};
