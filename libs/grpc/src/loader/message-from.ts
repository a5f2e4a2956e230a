import {
  type DescEnum,
  type DescField,
  type DescMessage,
  isMessage,
  type Message,
  ScalarType,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { loaderMembers } from './loader-names.js';
import type { LoaderForm } from './loader-options.js';

/**
 * The message of an object that a handler answers with for proto-loader. Any form of a value is read, whatever the
 * options say of requests: numbers and names of enums, numbers, strings, bigint and `Long`, bytes and base64.
 *
 * @throws Error that names the member that does not fit, and not its value.
 */
export function messageFrom(desc: DescMessage, value: unknown, form: LoaderForm): Message {
  return isMessage(value, desc) ? value : reflected(desc, value, desc.typeName, form).message;
}

function reflected(
  desc: DescMessage,
  value: unknown,
  place: string,
  form: LoaderForm,
): ReflectMessage {
  if (isMessage(value, desc)) return reflect(desc, value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw misfit(place, 'an object', value);
  }
  refuseOtherMembers(desc, value, place, form);
  const message = reflect(desc);
  for (const { field, name } of loaderMembers(desc, form)) {
    const given = (value as Readonly<Record<string, unknown>>)[name];
    if (given === undefined || given === null) continue;
    take(message, field, given, `${place}.${name}`, form);
  }
  return message;
}

/** An object that has members, but none of the message's, is a mistake in names and not an empty message. */
function refuseOtherMembers(
  desc: DescMessage,
  value: object,
  place: string,
  form: LoaderForm,
): void {
  const given = Object.keys(value);
  if (given.length === 0) return;
  const members = loaderMembers(desc, form);
  const isMember = (name: string): boolean =>
    members.some((each) => each.name === name || each.oneof === name);
  if (given.some(isMember)) return;
  const names = members.map(({ name }) => name).join(', ');
  throw new Error(`${place}: the object has none of its fields (${names}) but ${given.join(', ')}`);
}

function take(
  message: ReflectMessage,
  field: DescField,
  given: unknown,
  place: string,
  form: LoaderForm,
): void {
  const valueOf = (value: unknown, at: string): unknown => fieldValue(field, value, at, form);
  try {
    if (field.fieldKind === 'list') {
      if (!isIterable(given)) throw misfit(place, 'an array', given);
      const list = message.get(field);
      for (const item of given) list.add(valueOf(item, place));
    } else if (field.fieldKind === 'map') {
      if (typeof given !== 'object') throw misfit(place, 'an object', given);
      const map = message.get(field);
      for (const [key, item] of Object.entries(given as object)) {
        map.set(mapKey(field.mapKey, key), valueOf(item, place));
      }
    } else {
      message.set(field, valueOf(given, place));
    }
  } catch (error) {
    if (error instanceof Misfit) throw error;
    // The error of the reflection repeats the value, which may be secret.
    throw new Misfit(`${place}: the value does not fit its type`);
  }
}

function fieldValue(field: DescField, value: unknown, place: string, form: LoaderForm): unknown {
  if (field.message !== undefined) return reflected(field.message, value, place, form);
  if (field.enum !== undefined) return enumNumber(field.enum, value, place);
  if (field.scalar === ScalarType.BYTES) return bytesOf(value, place);
  if (LONG_TYPES.has(field.scalar)) return longOf(value);
  if (typeof value === 'object') throw misfit(place, 'a single value', value);
  const single = value as string | number | bigint | boolean;
  if (field.scalar === ScalarType.STRING) return String(single);
  return field.scalar === ScalarType.BOOL ? Boolean(single) : Number(single);
}

const LONG_TYPES: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

/** Of a number, a string, a bigint or a `Long`, which all have the same text. */
function longOf(value: unknown): bigint {
  return BigInt(value as string);
}

function enumNumber(desc: DescEnum, value: unknown, place: string): number {
  if (typeof value === 'number') return value;
  const found = desc.values.find(({ name }) => name === value);
  if (found === undefined) throw misfit(place, `a number or a name of ${desc.typeName}`, value);
  return found.number;
}

function bytesOf(value: unknown, place: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value, 'base64');
  if (Array.isArray(value)) return Uint8Array.from(value as number[]);
  throw misfit(place, 'bytes', value);
}

/** Keys of objects are text, whatever they are in the map. */
function mapKey(type: ScalarType, key: string): unknown {
  if (type === ScalarType.STRING) return key;
  if (type === ScalarType.BOOL) return key === 'true';
  return LONG_TYPES.has(type) ? BigInt(key) : Number(key);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** A value that does not fit its field. */
class Misfit extends Error {}

function misfit(place: string, wanted: string, given: unknown): Misfit {
  const kind = Array.isArray(given) ? 'array' : typeof given;
  return new Misfit(`${place}: expected ${wanted}, got a value of type ${kind}`);
}
