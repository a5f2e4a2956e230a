import type { DescMessage, Message } from '@bufbuild/protobuf';
import { isUint8Array } from 'node:util/types';
import { refuse } from './refuse.js';

/** The value of a repeated field: an array. Holes in it are undefined, which no item may be. */
export function listValue(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : refuse('an array', value);
}

/**
 * The value of a map field: an object with the entries as members. What has no members of its own,
 * as a Map, a Set or a Date of JavaScript, would become an empty map and is refused.
 */
export function mapValue(value: unknown): Readonly<Record<string, unknown>> {
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !isUint8Array(value)
  ) {
    if (isPlain(value) || Object.keys(value).length > 0) {
      return value as Readonly<Record<string, unknown>>;
    }
  }
  return refuse('an object with the entries of a map', value);
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

/** The selected case of a oneof with its value; the case is undefined where none is. */
export function oneofValue(value: unknown): {
  readonly case?: unknown;
  readonly value?: unknown;
} {
  if (typeof value === 'object' && value !== null) return value;
  return refuse('an object with the case of the oneof', value);
}

/** Refuses the case of a oneof that is none of its fields. */
export function refuseCase(found: unknown, cases: readonly string[]): never {
  return refuse(`a case of the oneof (${cases.join(', ')})`, found);
}
