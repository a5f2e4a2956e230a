import { isUint8Array } from 'node:util/types';

const LONGEST_TEXT = 30;

/** Describes a value for an error message; short, whatever the value contains. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > LONGEST_TEXT
        ? `a string of ${value.length} characters`
        : JSON.stringify(value);
    case 'bigint':
      return BigInt.asIntN(128, value) === value ? `${value}n` : 'a bigint of more than 128 bits';
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    case 'object':
      return describeObject(value);
  }
}

function describeObject(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isUint8Array(value)) return `bytes (${value.length})`;
  const typeName = '$typeName' in value ? value.$typeName : undefined;
  return typeof typeName === 'string' ? `a message ${typeName}` : 'an object';
}
