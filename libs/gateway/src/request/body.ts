import { type DescField, type DescMessage, type Message, create } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { isStatusError } from '@apix/contracts';
import { type JsonCodec, JsonDecodeError } from '@apix/proto/core';
import { valueIn } from '@apix/proto/internal';
import { badRequest } from '../errors.js';
import { HttpBodySchema } from '../gen/google/api/httpbody_pb.js';
import type { Binding } from '../rules/binding.js';
import { assignField } from './fields.js';

/** A request body as it came in. */
export interface RawBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** The message type that takes raw bytes for this binding's body, if it does. */
export function takesRawBody(binding: Binding): boolean {
  return isHttpBody(bodyDesc(binding));
}

/** True for google.api.HttpBody, which represents raw bytes. */
export function isHttpBody(desc: DescMessage | undefined): boolean {
  return desc?.typeName === HttpBodySchema.typeName;
}

/** The target of the body: the request message or one message field of it. */
function bodyDesc({ body, method }: Binding): DescMessage | undefined {
  if (body.kind === 'whole') return method.input;
  return body.kind === 'field' && body.field.fieldKind === 'message'
    ? body.field.message
    : undefined;
}

/**
 * The request message with the content of the body. An empty body sets nothing.
 *
 * @throws HttpRefusal that names the place of the mistake in the JSON.
 */
export function readBody(binding: Binding, body: RawBody, json: JsonCodec): Message {
  const { input } = binding.method;
  if (takesRawBody(binding)) return readRaw(binding, body);
  if (binding.body.kind === 'none' || body.bytes.length === 0) return create(input);
  if (binding.body.kind === 'whole') return withPlace(() => json.decode(input, body.bytes));
  return readFieldBody(binding.body.field, body.bytes, json);
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

function readFieldBody(field: DescField, bytes: Uint8Array, json: JsonCodec): Message {
  const message = withPlace(() => json.decodeField(field, bytes));
  const hasNull = field.fieldKind !== 'message' || isWrapperDesc(field.message);
  if (!hasNull && valueIn(message, field) === undefined) {
    throw bodyError('$', 'null is not a value for the body');
  }
  return message;
}

/**
 * The bytes of the request message that the body is the whole of, without a message between.
 *
 * @throws HttpRefusal that names the place of the mistake in the JSON.
 */
export function wireOfBody({ method }: Binding, body: RawBody, json: JsonCodec): Uint8Array {
  return withPlace(() => json.toWire(method.input, body.bytes));
}

/** A mistake in the JSON as one of the request's body. */
function withPlace<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    if (!(error instanceof JsonDecodeError)) throw badRequest(error.message, '', error);
    throw bodyError(error.path, error.problem, error);
  }
}

/** A mistake at a place of the request's body, `$.order.id`. */
export function bodyError(path: string, problem: string, cause?: unknown): Error {
  return badRequest(`request body, ${path}: ${problem}`, path.replace(/^\$\.?/, ''), cause);
}
