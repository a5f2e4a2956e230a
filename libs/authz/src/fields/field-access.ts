import { create, type DescField, type DescMessage } from '@bufbuild/protobuf';

export type FieldValues = Record<string, unknown>;

/** Where a field is in messages of its type. */
export interface FieldAccess {
  readonly number: number;
  readonly isMap: boolean;
  readonly isList: boolean;
  /** In a message of protobuf-es. */
  readonly name: string;
  /** In objects of other libraries, such as proto-loader, the same included. */
  readonly names: readonly string[];
  /** The oneof that the field is a case of. */
  readonly oneof: string | undefined;
  /** The value of the field where it is not set; undefined: it is no member then. */
  readonly unset: unknown;
  /** Where the prototype of messages has a default, which is not a value. */
  readonly hasDefault: boolean;
}

export function accessOf(field: DescField): FieldAccess {
  const { number, fieldKind, localName: name, jsonName, oneof, parent } = field;
  const empty = create(parent) as unknown as FieldValues;
  return {
    number,
    isMap: fieldKind === 'map',
    isList: fieldKind === 'list',
    name,
    names: [...new Set([name, field.name, jsonName])],
    oneof: oneof?.localName,
    unset: oneof === undefined && Object.hasOwn(empty, name) ? empty[name] : undefined,
    hasDefault: oneof === undefined && !Object.hasOwn(empty, name) && name in empty,
  };
}

/** The value of a field that is set in a message of protobuf-es; undefined: it is not. */
export function fieldValueIn(message: FieldValues, access: FieldAccess): unknown {
  const { oneof, name, unset } = access;
  if (oneof !== undefined) {
    const chosen = message[oneof] as { readonly case?: unknown; readonly value?: unknown };
    return chosen.case === name ? chosen.value : undefined;
  }
  const value = message[name];
  if (value === unset || value === undefined) return undefined;
  if (access.isList) return (value as readonly unknown[]).length === 0 ? undefined : value;
  if (access.isMap) return isEmptyMap(value) ? undefined : value;
  if (typeof unset === 'object' && (value as Uint8Array).length === 0) return undefined;
  return access.hasDefault && !Object.hasOwn(message, name) ? undefined : value;
}

function isEmptyMap(map: unknown): boolean {
  for (const _ in map as object) return false;
  return !(map instanceof Map);
}

/** Replaces the value of a field that is set; undefined: unsets it, if its prototype has no default. */
export function putIn(message: FieldValues, access: FieldAccess, value: unknown): void {
  const { oneof, name, isList, isMap, unset } = access;
  if (oneof !== undefined) {
    message[oneof] = value === undefined ? { case: undefined } : { case: name, value };
  } else if (value !== undefined) message[name] = value;
  else if (isList) message[name] = [];
  else if (isMap) message[name] = {};
  else message[name] = unset;
}

/**
 * A copy in which fields are not set. Nothing is deleted, as V8 then keeps an object as a table of its members, which takes
 * long to make and to write: protobuf-es takes undefined for a field that is not set, unless the prototype has a default.
 */
export function copyWithout(message: FieldValues, fields: readonly FieldAccess[]): FieldValues {
  const copy = fields.some(({ hasDefault }) => hasDefault)
    ? copyWithoutOwn(message, fields)
    : copyOf(message);
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    if (!field.hasDefault) putIn(copy, field, undefined);
  }
  return copy;
}

/** A copy without the members that hide a default of the prototype. */
function copyWithoutOwn(message: FieldValues, fields: readonly FieldAccess[]): FieldValues {
  const copy = Object.create(Object.getPrototypeOf(message) as object) as FieldValues;
  for (const key of Object.keys(message)) {
    if (!fields.some(({ name, hasDefault }) => hasDefault && name === key)) {
      copy[key] = message[key];
    }
  }
  return copy;
}

/** A copy whose values are those of the message. */
export function copyOf(message: FieldValues): FieldValues {
  const prototype: unknown = Object.getPrototypeOf(message);
  return prototype === Object.prototype
    ? { ...message }
    : Object.assign(Object.create(prototype as object) as object, message);
}

/** The members of an object in the shape of a message, whatever library it is for, and where its class has them. */
export function knownValues(desc: DescMessage, object: FieldValues): FieldValues {
  const names = new Set([
    ...desc.members.map(({ localName }) => localName),
    ...desc.fields.flatMap(({ name, jsonName }) => [name, jsonName]),
    ...desc.oneofs.map(({ name }) => name),
  ]);
  const shape: FieldValues = {};
  for (const name of names) {
    const value = object[name];
    if (value !== undefined && typeof value !== 'function') shape[name] = value;
  }
  return shape;
}
