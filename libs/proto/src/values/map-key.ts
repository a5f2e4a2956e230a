import { type DescField, ScalarType } from '@bufbuild/protobuf';
import {
  signedValue,
  unsignedValue,
  int32Value,
  stringValue,
  uint32Value,
} from './scalar-value.js';
import { refuse } from './value-error.js';

/** The type of a map's keys. */
export type MapKeyType = (DescField & { readonly fieldKind: 'map' })['mapKey'];

/** Returns the key that a member's name represents, or throws a ValueError without a place. */
export type MapKeyCheck = (name: string) => number | bigint | boolean | string;

/**
 * The check for keys of a map. A message has them as names of members, so a number has to be
 * written as JavaScript writes it: `"01"` and `"1e3"` are refused, as two names would be one key.
 */
export function mapKeyCheck(type: MapKeyType): MapKeyCheck {
  switch (type) {
    case ScalarType.STRING:
      return stringValue;
    case ScalarType.BOOL:
      return (name) => {
        if (name === 'true') return true;
        return name === 'false' ? false : refuse('a key that is "true" or "false"', name);
      };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return (name) => canonical(name, Number(name), int32Value, 'int32');
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return (name) => canonical(name, Number(name), uint32Value, 'uint32');
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return (name) => canonical(name, name, signedValue, 'int64');
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return (name) => canonical(name, name, unsignedValue, 'uint64');
  }
}

function canonical<T extends number | bigint>(
  name: string,
  value: unknown,
  check: (value: unknown) => T,
  type: string,
): T {
  if (String(value) === name && DIGITS.test(name)) {
    try {
      return check(value);
    } catch {
      // It is out of range: reported in the words for keys.
    }
  }
  return refuse(`a key that is an integer (${type})`, name);
}

const DIGITS = /^(?:0|-?[1-9]\d*)$/;
