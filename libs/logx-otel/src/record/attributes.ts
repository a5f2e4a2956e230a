import type { FieldValue } from '@apix/logx/core';
import type { RecordAttributes } from './translation.js';

/**
 * Names of attributes that are not fields, and the empty one, which OpenTelemetry does not allow; a field with such a
 * name gets one more underscore.
 */
const TAKEN =
  /^(?:exception\.message|exception\.stacktrace|code\.filepath|code\.lineno|log\.template|)_*$/;

/** Sets the attribute of a field, with the same name as in the `otel` format of logx. */
export function setField(attributes: RecordAttributes, field: string, value: FieldValue): void {
  setAttribute(
    attributes,
    attributeKey(field),
    typeof value === 'object' || typeof value === 'bigint' ? anyValueOf(value) : value,
  );
}

/** The name of the attribute for a field; different fields have different attributes. */
export function attributeKey(field: string): string {
  return isTaken(field) ? `${field}_` : field;
}

/** The field of an attribute; undefined for an attribute that no field can have. */
export function fieldOfAttribute(key: string): string | undefined {
  if (!isTaken(key)) return key;
  return key.endsWith('_') ? key.slice(0, -1) : undefined;
}

/** Sets an attribute; the name `__proto__` is treated like any other. */
export function setAttribute(attributes: RecordAttributes, key: string, value: unknown): void {
  if (key === '__proto__') {
    const own = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(attributes, key, own);
  } else attributes[key] = value;
}

/** Most names are not taken, so the first letter is compared before the pattern. */
function isTaken(field: string): boolean {
  const first = field.charCodeAt(0);
  // e, c, l, _ or none
  const isSuspect = first === 101 || first === 99 || first === 108 || first === 95;
  return (isSuspect || field === '') && TAKEN.test(field);
}

/** OpenTelemetry's SDK does not support bigint: a safe integer becomes a number, any other a string of digits. */
function anyValueOf(value: FieldValue): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(anyValueOf);
  const members: RecordAttributes = {};
  for (const [name, member] of Object.entries(value)) {
    setAttribute(members, name, anyValueOf(member));
  }
  return members;
}
