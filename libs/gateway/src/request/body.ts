import { type Message, create } from '@bufbuild/protobuf';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { isStatusError, thrownText } from '@apix/contracts';
import { type JsonCodec, JsonDecodeError } from '@apix/proto/core';
import { badRequest } from '../errors.js';
import { HttpBodySchema } from '../gen/google/api/httpbody_pb.js';
import type { Binding } from '../rules/binding.js';
import { assignField, readField } from './assign.js';

/** A request body as it came in. */
export interface RawBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** The message type that takes raw bytes for this binding's body, if it does. */
export function takesRawBody(binding: Binding): boolean {
  return isHttpBody(bodyDesc(binding));
}

/** True for google.api.HttpBody, which stands for bytes as they are. */
export function isHttpBody(desc: DescMessage | undefined): boolean {
  return desc?.typeName === HttpBodySchema.typeName;
}

/** What the body is read as: the request message or one message field of it. */
function bodyDesc({ body, method }: Binding): DescMessage | undefined {
  if (body.kind === 'whole') return method.input;
  return body.kind === 'field' && body.field.fieldKind === 'message'
    ? body.field.message
    : undefined;
}

/**
 * The request message with what the body says. A body of no bytes sets nothing.
 *
 * @throws HttpRefusal that says where in the JSON it is wrong.
 */
export function readBody(binding: Binding, body: RawBody, json: JsonCodec): Message {
  const { input } = binding.method;
  if (binding.body.kind === 'none' || (body.bytes.length === 0 && !takesRawBody(binding))) {
    return create(input);
  }
  if (takesRawBody(binding)) return readRaw(binding, body);
  if (binding.body.kind === 'whole') return decode(input, body.bytes, json, '$');
  return readFieldBody(input, binding.body.field, body.bytes, json);
}

function readRaw(binding: Binding, { contentType, bytes }: RawBody): Message {
  const { input } = binding.method;
  const raw = { contentType, data: bytes };
  if (binding.body.kind !== 'field') return Object.assign(create(input), raw);
  const message = create(input);
  const desc = binding.body.field.message;
  if (desc !== undefined)
    assignField(message, binding.body.field, Object.assign(create(desc), raw));
  return message;
}

/**
 * The field's JSON is read as the one member of its message, so that repeated fields, maps,
 * wrappers and numbers are read by the same rules. What the caller sent must be one JSON value
 * of its own, or it could close the object and set other fields.
 */
function readFieldBody(
  input: DescMessage,
  field: DescField,
  bytes: Uint8Array,
  json: JsonCodec,
): Message {
  const member = JSON.stringify(field.jsonName);
  const text = new TextDecoder('utf-8', { fatal: true });
  let value: string;
  try {
    value = text.decode(bytes);
    JSON.parse(value);
  } catch (error) {
    throw bodyError('$', thrownText(error), error);
  }
  const message = decode(input, `{${member}:${value}}`, json, `$.${field.jsonName}`);
  if (field.fieldKind === 'message' && readField(message, field) === undefined) {
    throw bodyError('$', 'null is not a value for the body');
  }
  return message;
}

/** @param root the path in what is decoded that is the root of what the caller sent. */
function decode(desc: DescMessage, text: unknown, json: JsonCodec, root: string): Message {
  try {
    return json.decode(desc, text);
  } catch (error) {
    if (!isStatusError(error)) throw error;
    if (!(error instanceof JsonDecodeError)) throw badRequest(error.message, '', error);
    const path = error.path.startsWith(root) ? `$${error.path.slice(root.length)}` : error.path;
    throw bodyError(path, error.problem, error);
  }
}

function bodyError(path: string, problem: string, cause?: unknown): Error {
  return badRequest(`request body, ${path}: ${problem}`, path.replace(/^\$\.?/, ''), cause);
}
