import { create, equals, fromBinary, fromJson } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { registry } from '../suite/schema.js';
import type { Failure, Fields } from '../suite/verdict.js';
import { CODE_NAMES } from '../wire/codes.js';
import { failure } from './protocol.js';

type Json = Readonly<Record<string, unknown>>;

/** A token of RFC 9110, of which names of fields are made. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible characters, spaces and tabs. */
const FIELD_VALUE = /^[\t\u0020-\u007e\u0080-\u{10ffff}]*$/u;

/** Reads an error of Connect as the protocol has it, and complains about all else in it. */
export function readError(json: unknown, fallback: number, complaints: string[]): Failure {
  const where = 'error JSON';
  if (!isObject(json)) {
    complaints.push(`${where} is not an object`);
    return failure(fallback, 'an error that cannot be read');
  }
  const { code, message, details, ...others } = json;
  for (const key of Object.keys(others)) complaints.push(`${where} has the invalid key "${key}"`);
  const number = CODE_NAMES.indexOf(code as '');
  if (typeof code !== 'string' || number < 1) complaints.push(`${where} has no known code`);
  if (message !== undefined && typeof message !== 'string') {
    complaints.push(`${where} has a message that is not a string`);
  }
  if (details !== undefined && !Array.isArray(details)) {
    complaints.push(`${where} has details that are not a list`);
  }
  const list: readonly unknown[] = Array.isArray(details) ? details : [];
  return failure(
    number < 1 ? fallback : number,
    typeof message === 'string' ? message : '',
    list.flatMap((detail, at) => readDetail(detail, `${where} details[${at}]`, complaints)),
  );
}

function readDetail(detail: unknown, where: string, complaints: string[]): Any[] {
  if (!isObject(detail)) {
    complaints.push(`${where} is not an object`);
    return [];
  }
  const { type, value, debug, ...others } = detail;
  for (const key of Object.keys(others)) complaints.push(`${where} has the invalid key "${key}"`);
  if (typeof type !== 'string' || typeof value !== 'string') {
    complaints.push(`${where} has no type or no value`);
    return [];
  }
  if (!/^[A-Za-z0-9+/]*$/.test(value)) complaints.push(`${where} is not unpadded base64: ${value}`);
  const bytes = Buffer.from(value, 'base64');
  if (debug !== undefined) complaints.push(...debugMistakes(type, bytes, debug, where));
  return [create(AnySchema, { typeUrl: `type.googleapis.com/${type}`, value: bytes })];
}

/** `debug` is for people, and must say the same as the bytes. */
function debugMistakes(type: string, bytes: Buffer, debug: unknown, where: string): string[] {
  const schema = registry.getMessage(type);
  if (schema === undefined) return [`${where} has debug data of the unknown type ${type}`];
  try {
    const { '@type': _, ...fields } = debug as Json;
    const told = fromJson(schema, fields as never, { registry });
    const isSame = equals(schema, told, fromBinary(schema, bytes), { registry, unpackAny: true });
    return isSame ? [] : [`${where} has debug data that differs from its value`];
  } catch (error) {
    return [`${where} has debug data that is not a ${type}: ${String(error)}`];
  }
}

/** Reads the last message of a stream. */
export function readEndOfStream(
  data: Buffer,
  complaints: string[],
): { readonly error?: Failure; readonly trailers: Fields } {
  const where = 'end-of-stream JSON';
  const json: unknown = JSON.parse(data.toString());
  const trailers = new Map<string, string[]>();
  if (!isObject(json)) {
    complaints.push(`${where} is not an object`);
    return { trailers };
  }
  const { error, metadata = {}, ...others } = json;
  for (const key of Object.keys(others)) complaints.push(`${where} has the invalid key "${key}"`);
  if (!isObject(metadata)) complaints.push(`${where} has metadata that is not an object`);
  else {
    for (const [name, values] of Object.entries(metadata)) {
      const isList = Array.isArray(values) && values.every((value) => typeof value === 'string');
      if (!TOKEN.test(name)) complaints.push(`${where} has metadata with the bad name ${name}`);
      if (!isList) complaints.push(`${where} has metadata ${name} that is not a list of strings`);
      else {
        const bad = values.find((value) => !FIELD_VALUE.test(value));
        if (bad !== undefined) complaints.push(`${where} has metadata ${name} with a bad value`);
        trailers.set(name.toLowerCase(), [...(trailers.get(name.toLowerCase()) ?? []), ...values]);
      }
    }
  }
  return error === undefined
    ? { trailers }
    : { trailers, error: readError(error, UNKNOWN, complaints) };
}
const UNKNOWN = 2;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
