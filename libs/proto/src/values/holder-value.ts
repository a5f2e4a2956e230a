import { isUint8Array } from 'node:util/types';
import type { DescMessage, Message } from '@bufbuild/protobuf';
import { refuse } from './value-error.js';

/** The value of a repeated field: an array. Holes in it are undefined, which no item may be. */
export function listValue(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : refuse('an array', value);
}

/**
 * The value of a map field: an object with the entries as members. An object without own members, such as a
 * Map, a Set or a Date, would become an empty map and is refused.
 */
export function mapValue(value: unknown): Readonly<Record<string, unknown>> {
  return isMapValue(value) ? value : refuse('an object with the entries of a map', value);
}

/** Whether {@link mapValue} takes it. */
export function isMapValue(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !isUint8Array(value) &&
    (isPlain(value) || Object.keys(value).length > 0)
  );
}

/** An object of another realm has another Object.prototype, which is the end of its chain too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null;
}

/** A message of a type, known by its `$typeName`. */
export function messageValue(value: unknown, desc: DescMessage): Message {
  if (typeof value === 'object' && value !== null) {
    if ((value as { readonly $typeName?: unknown }).$typeName === desc.typeName) {
      return value as Message;
    }
  }
  return refuse(`a message ${desc.typeName}`, value);
}

/** The selected case of a oneof with its value; the case is undefined if none is selected. */
export function oneofValue(value: unknown): {
  readonly case?: unknown;
  readonly value?: unknown;
} {
  if (typeof value === 'object' && value !== null) return value;
  return refuse('an object with the case of the oneof', value);
}

/** Refuses a case of a oneof that is not one of its fields. */
export function refuseCase(found: unknown, cases: readonly string[]): never {
  return refuse(`a case of the oneof (${cases.join(', ')})`, found);
}

/** A JSON object, as a message keeps a google.protobuf.Struct. Its members are {@link jsonValue}s. */
export function jsonObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? mapValue(value)
    : refuse('a JSON object', value);
}

/**
 * A value inside a google.protobuf.Struct, not looking into lists and objects: NaN and the
 * infinities are allowed, as doubles have them; undefined is not.
 */
export function jsonValue(value: unknown): JsonPart {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value as readonly unknown[];
  return typeof value === 'object' ? jsonObject(value) : refuse('a JSON value', value);
}

/** A JSON value of which only the outermost part is known. */
type JsonPart =
  null | number | string | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Sets a member by a name from a document of unknown origin: `__proto__` is one like any other. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else {
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}
