import { type DescMessage, type DescField, type DescOneof, ScalarType } from '@bufbuild/protobuf';
import { isPlainObject } from '@apix/contracts/internal';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { isLongType } from '../values/integer-range.js';
import { scalarCheck } from '../values/scalar-value.js';
import { localForm } from '../values/local-form.js';
import type { MapField, MessageField } from '../wire/wire-type.js';
import { MAX_DEPTH, DEPTH_OF_LEVEL } from './take-field.js';

interface Member {
  readonly name: string;
  readonly isPlain: IsPlain;
}

const checks = new WeakMap<DescMessage, IsPlain>();

/**
 * Whether the JSON of a message is the same before and after a way over the wire, if it has a JSON form at
 * all. False if only the wire format can show it: for unknown fields, an Any, more than 30 levels, and
 * values that are not exactly of their type. May throw for those.
 */
export function plainMessageOf(desc: DescMessage): IsPlain {
  let check = checks.get(desc);
  if (check === undefined) {
    check = compile(desc);
    checks.set(desc, check);
  }
  return check;
}

function compile(desc: DescMessage): IsPlain {
  // Its content is bytes, and it is not known what the JSON would leave out of them.
  if (desc.typeName === 'google.protobuf.Any') return () => false;
  const members: Member[] = desc.members.flatMap((member) => {
    const isPlain = plainMember(member, plainMessageOf);
    return isPlain === undefined ? [] : [{ name: member.localName, isPlain }];
  });
  return (value, depth) => {
    if (depth > MAX_DEPTH) return false;
    const message = value as Readonly<Record<string, unknown>>;
    if (message['$unknown'] !== undefined) return false;
    for (let i = 0; i < members.length; i++) {
      const { name, isPlain } = members[i]!;
      const given = message[name];
      if (given !== undefined && !isPlain(given, depth)) return false;
    }
    return true;
  };
}

/** Whether nothing of a value changes on the wire that its JSON would show. */
type IsPlain = (value: unknown, depth: number) => boolean;

/** Finds the check of a message type, when the first message of it comes: types may be recursive. */
type PlainOf = (desc: DescMessage) => IsPlain;

/**
 * The check of a member of a message; undefined if there is nothing to check, because the writer of JSON
 * refuses values of another type.
 */
function plainMember(member: DescField | DescOneof, plainOf: PlainOf): IsPlain | undefined {
  if (member.kind === 'oneof') return plainOneof(member, plainOf);
  const isPlain = plainItem(member, plainOf);
  if (member.fieldKind === 'list') return plainList(isPlain);
  if (member.fieldKind === 'map') return plainMap(member, isPlain);
  if (member.scalar !== ScalarType.FLOAT) return isPlain;
  return member.presence === FeatureSet_FieldPresence.IMPLICIT ? staysSet : undefined;
}

function plainItem(field: DescField, plainOf: PlainOf): IsPlain | undefined {
  if (field.message !== undefined) return plainInner(field, plainOf);
  const isText = field.fieldKind !== 'map' && 'longAsString' in field && field.longAsString;
  if (field.enum === undefined) return plainScalar(field.scalar, isText);
  if (field.enum.open) return undefined;
  const numbers = new Set<unknown>(field.enum.values.map(({ number }) => number));
  return (value) => numbers.has(value);
}

/** A value given instead of a bigint is accepted more freely for JSON than for the wire. */
function plainScalar(type: ScalarType, longAsString = false): IsPlain | undefined {
  if (!isLongType(type)) return undefined;
  const check = scalarCheck(type, longAsString);
  return (value) => typeof value === 'bigint' || check(value) !== undefined;
}

/** A float so small that it becomes zero is not set any more for its receiver. */
function staysSet(value: unknown): boolean {
  return value === 0 || Math.fround(value as number) !== 0;
}

function plainInner(field: MessageField, plainOf: PlainOf): IsPlain | undefined {
  const { message } = field;
  switch (localForm(field)) {
    case 'wrapper':
      return plainScalar(message.fields[0]!.scalar!);
    case 'struct':
      return isPlainJsonObject;
    case 'message': {
      let isPlain: IsPlain | undefined;
      return (value, depth) => (isPlain ??= plainOf(message))(value, depth + 1);
    }
  }
}

function plainList(isPlain: IsPlain | undefined): IsPlain | undefined {
  if (isPlain === undefined) return undefined;
  return (value, depth) => {
    const items = value as readonly unknown[];
    for (let i = 0; i < items.length; i++) if (!isPlain(items[i], depth)) return false;
    return true;
  };
}

/** Of two keys that differ in what UTF-8 cannot hold, one is left. */
function plainMap({ mapKey }: MapField, isPlain: IsPlain | undefined): IsPlain {
  const isText = mapKey === ScalarType.STRING;
  return (value, depth) => {
    if (!isPlainObject(value)) return false;
    for (const key of Object.keys(value)) {
      if (isText && !key.isWellFormed()) return false;
      if (isPlain !== undefined && !isPlain(value[key], depth)) return false;
    }
    return true;
  };
}

function plainOneof(oneof: DescOneof, plainOf: PlainOf): IsPlain {
  const cases = new Map<unknown, IsPlain | undefined>(
    oneof.fields.map((field) => [field.localName, plainItem(field, plainOf)]),
  );
  return (given, depth) => {
    const { case: name, value } = given as { readonly case?: unknown; readonly value?: unknown };
    if (name === undefined) return true;
    return cases.has(name) && (cases.get(name)?.(value, depth) ?? true);
  };
}

/** Whether a google.protobuf.Struct in a field, which is plain JSON there, stays as it is. */
function isPlainJsonObject(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH || !isPlainObject(value)) return false;
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed() || !isPlainJson(value[key], depth + DEPTH_OF_LEVEL)) return false;
  }
  return true;
}

/** A value without a JSON form is refused by the writer. */
function isPlainJson(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (!Array.isArray(value)) return isPlainJsonObject(value, depth);
  if (depth > MAX_DEPTH) return false;
  return value.every((item) => isPlainJson(item, depth + DEPTH_OF_LEVEL));
}
