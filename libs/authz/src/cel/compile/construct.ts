import {
  anyPack,
  AnySchema,
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
} from '@bufbuild/protobuf/wkt';
import {
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
} from '@bufbuild/protobuf/wkt';
import { UInt64ValueSchema, ValueSchema, type Any } from '@bufbuild/protobuf/wkt';
import { create, fromJson, ScalarType, toJson } from '@bufbuild/protobuf';
import type { DescField, DescMessage, JsonValue } from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { CelError } from '../cel-error.js';
import { celMessage } from '../cel-type.js';
import {
  CelUint,
  isCelMap,
  isDuration,
  isMessageValue,
  isTimestamp,
  mapKey,
  typeNameOf,
} from '../values/cel-value.js';
import type { CelMap } from '../values/cel-value.js';
import type { FindMessage } from '../values/compare.js';
import { formatCelDuration, formatTimestamp } from '../values/time.js';

/** A value that a field cannot hold. Caught where the message is made. */
class Unfit extends Error {}

/** A message of values of its fields, as protobuf-es has it; an error where a value does not fit. */
export function construct(
  desc: DescMessage,
  fields: readonly (readonly [DescField, unknown])[],
  find: FindMessage,
): unknown {
  const init: Record<string, unknown> = {};
  try {
    for (const [field, value] of fields) {
      const raw = rawOf(field, value, find);
      if (raw === undefined) continue;
      if (field.oneof === undefined) init[field.localName] = raw;
      else init[field.oneof.localName] = { case: field.localName, value: raw };
    }
    return create(desc, init);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return new CelError(`${desc.typeName} cannot be made: ${why}`, error);
  }
}

interface FieldPart {
  readonly name: string;
  readonly scalar?: ScalarType | undefined;
  readonly message?: DescMessage | undefined;
}

function rawOf(field: DescField, value: unknown, find: FindMessage): unknown {
  switch (field.fieldKind) {
    case 'list':
      if (!Array.isArray(value)) throw unfit(field, value);
      return value.map((element) => partOf(field, element, find, false));
    case 'map': {
      if (!isCelMap(value)) throw unfit(field, value);
      const raw: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const [key, element] of entriesOf(value))
        raw[String(key)] = partOf(field, element, find, false);
      return { ...raw };
    }
    case 'message':
      return partOf(field, value, find, field.oneof === undefined);
    case 'scalar':
    case 'enum':
      return partOf(field, value, find, false);
  }
}

/** `bare`: wrappers and Struct are held as what they wrap, as protobuf-es does in fields of one message. */
function partOf(field: FieldPart, value: unknown, find: FindMessage, bare: boolean): unknown {
  if (field.message !== undefined) return messageOf(field, field.message, value, find, bare);
  if (field.scalar !== undefined) return scalarOf(field, field.scalar, value);
  if (typeof value !== 'bigint') throw unfit(field, value);
  return bounded(field, value, -2_147_483_648n, 2_147_483_647n);
}

function messageOf(
  field: FieldPart,
  desc: DescMessage,
  value: unknown,
  find: FindMessage,
  bare: boolean,
): unknown {
  const type = celMessage(desc);
  switch (desc.typeName) {
    case 'google.protobuf.Any':
      return packed(value, find);
    case 'google.protobuf.Value':
      return fromJson(ValueSchema, jsonOf(value, find));
    case 'google.protobuf.Struct': {
      if (!isCelMap(value)) throw unfit(field, value);
      const json = jsonOf(value, find);
      return bare ? json : fromJson(StructSchema, json);
    }
    case 'google.protobuf.ListValue':
      if (!Array.isArray(value)) throw unfit(field, value);
      return fromJson(ListValueSchema, jsonOf(value, find));
    default:
  }
  if (value === null) return undefined;
  if (type.kind === 'wrapper') {
    const [wrapped] = desc.fields;
    if (wrapped?.scalar === undefined) throw unfit(field, value);
    const raw = scalarOf(field, wrapped.scalar, value);
    return bare ? raw : create(desc, { value: raw });
  }
  if (!isMessageValue(value) || value.$typeName !== desc.typeName) throw unfit(field, value);
  return value;
}

function scalarOf(field: FieldPart, scalar: ScalarType, value: unknown): unknown {
  switch (scalar) {
    case ScalarType.BOOL:
      if (typeof value !== 'boolean') throw unfit(field, value);
      return value;
    case ScalarType.STRING:
      if (typeof value !== 'string') throw unfit(field, value);
      return value;
    case ScalarType.BYTES:
      if (!(value instanceof Uint8Array)) throw unfit(field, value);
      return value;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      if (typeof value !== 'number') throw unfit(field, value);
      return scalar === ScalarType.FLOAT ? Math.fround(value) : value;
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      if (typeof value !== 'bigint') throw unfit(field, value);
      return bounded(field, value, -2_147_483_648n, 2_147_483_647n);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      if (!(value instanceof CelUint)) throw unfit(field, value);
      return bounded(field, value.value, 0n, 4_294_967_295n);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      if (typeof value !== 'bigint') throw unfit(field, value);
      return value;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      if (!(value instanceof CelUint)) throw unfit(field, value);
      return value.value;
  }
}

function bounded(field: FieldPart, value: bigint, least: bigint, most: bigint): number {
  if (value < least || value > most)
    throw new Unfit(`${value} is out of range for "${field.name}"`);
  return Number(value);
}

function unfit(field: FieldPart, value: unknown): Unfit {
  return new Unfit(`field "${field.name}" cannot hold ${typeNameOf(value)}`);
}

function* entriesOf(map: CelMap): Iterable<readonly [string | bigint | boolean, unknown]> {
  for (const key of map.keys()) {
    const as = mapKey(key);
    if (as !== undefined) yield [as, map.get(as)];
  }
}

function packed(value: unknown, find: FindMessage): Any | undefined {
  if (typeof value === 'string')
    return anyPack(StringValueSchema, create(StringValueSchema, { value }));
  if (typeof value === 'boolean')
    return anyPack(BoolValueSchema, create(BoolValueSchema, { value }));
  if (typeof value === 'bigint')
    return anyPack(Int64ValueSchema, create(Int64ValueSchema, { value }));
  if (typeof value === 'number')
    return anyPack(DoubleValueSchema, create(DoubleValueSchema, { value }));
  if (value instanceof CelUint) {
    return anyPack(UInt64ValueSchema, create(UInt64ValueSchema, { value: value.value }));
  }
  if (value instanceof Uint8Array)
    return anyPack(BytesValueSchema, create(BytesValueSchema, { value }));
  if (value === null) return anyPack(ValueSchema, fromJson(ValueSchema, null));
  if (Array.isArray(value))
    return anyPack(ListValueSchema, fromJson(ListValueSchema, jsonOf(value, find)));
  if (isCelMap(value)) return anyPack(StructSchema, fromJson(StructSchema, jsonOf(value, find)));
  if (!isMessageValue(value)) throw new Unfit(`an Any cannot hold ${typeNameOf(value)}`);
  if (value.$typeName === AnySchema.typeName) return value as Any;
  const desc = find(value.$typeName);
  if (desc === undefined) throw new Unfit(`${value.$typeName} is not known`);
  return anyPack(desc, value);
}

/** A value as JSON: an int that JSON numbers cannot hold is a text. */
function jsonOf(value: unknown, find: FindMessage): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof CelUint) return jsonOf(value.value, find);
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (value instanceof Uint8Array) return base64Encode(value);
  if (Array.isArray(value)) return value.map((element) => jsonOf(element, find));
  if (isTimestamp(value)) return formatTimestamp(value);
  if (isDuration(value)) return formatCelDuration(value);
  if (isCelMap(value)) {
    const entries = [...entriesOf(value)].map(([key, element]): [string, JsonValue] => {
      if (typeof key !== 'string') throw new Unfit('JSON has only texts as keys');
      return [key, jsonOf(element, find)];
    });
    return Object.fromEntries(entries);
  }
  const desc = isMessageValue(value) ? find(value.$typeName) : undefined;
  if (desc === undefined || !isMessageValue(value))
    throw new Unfit(`${typeNameOf(value)} is not JSON`);
  return toJson(desc, value);
}
