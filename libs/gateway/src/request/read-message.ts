import { type DescMessage, type Message, create } from '@bufbuild/protobuf';
import { type JsonCodec } from '@apix/proto/core';
import { missingField, MAX_WIRE_DEPTH } from '@apix/proto/internal';
import type { MessageOrWire } from '@apix/calls';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import type { Binding } from '../rules/binding.js';
import { badRequest } from '../errors.js';
import { type RawBody, bodyError, readBody, takesRawBody, wireOfBody } from './body.js';
import { type ParameterOptions, applyForm, applyParameters, parseParameters } from './query.js';
import { applyPath } from './path.js';
import { assignField, fieldNamed, isOpen, readField, rivalOf } from './fields.js';

/** The target of a request: a binding, and what path and query say to it. */
export interface Target {
  readonly binding: Binding;
  /** Raw path segments, as the route table matched them. */
  readonly segments: readonly string[];
  /** The query string, without `?`. */
  readonly query: string;
}

/** How text becomes fields. */
export interface ReadingRules {
  readonly json: JsonCodec;
  readonly unknownFields: 'refuse' | 'ignore';
  /** How deep messages may be nested. */
  readonly maxDepth: number;
}

/**
 * The request message of a body, a query and a path; the path takes precedence. No one of them drops what
 * another one has set: two members of one oneof are a mistake of the request.
 *
 * @param form whether the body is `application/x-www-form-urlencoded`.
 * @throws HttpRefusal that names the mistake and its place.
 */
export function readMessage(
  target: Target,
  body: RawBody,
  form: boolean,
  rules: ReadingRules,
): Message {
  const { binding } = target;
  const message = form ? create(binding.method.input) : readBody(binding, body, rules.json);
  applyPath(binding, target.segments, message);
  if (form) applyForm(binding, body, message, rules);
  applyQuery(target, message, rules);
  if (!form) fillFieldMask(binding, body.bytes, message);
  assertRequired(binding, form, message);
  return message;
}

/**
 * Like {@link readMessage}, but in the wire format if the body is the whole message: no message object is
 * needed then.
 */
export function readWire(
  target: Target,
  body: RawBody,
  form: boolean,
  rules: ReadingRules,
): MessageOrWire {
  const { binding, query } = target;
  const isWhole =
    binding.body.kind === 'whole' && !form && query === '' && binding.variables.length === 0;
  const isPlain = binding.maskField === undefined && !takesRawBody(binding);
  return isWhole && isPlain && body.bytes.length > 0
    ? wireOfBody(binding, body, rules.json)
    : readMessage(target, body, form, rules);
}

/**
 * How many bytes of text a message was read from; undefined for one with more in it than the text says,
 * and for one nested deeper than the wire has it.
 */
export function textBytesOf(
  { binding, segments, query }: Target,
  { bytes }: RawBody,
  { maxDepth }: ReadingRules,
): number | undefined {
  const isText = binding.maskField === undefined && !takesRawBody(binding);
  if (!isText || maxDepth > MAX_WIRE_DEPTH) return undefined;
  // A path says names of fields in its template.
  let inPath = binding.template.source.length;
  for (const segment of segments) inPath += segment.length;
  return bytes.length + query.length + inPath;
}

/** Sets the fields that the query string names. */
function applyQuery({ binding, query }: Target, message: Message, rules: ReadingRules): void {
  if (query === '') return;
  const options: ParameterOptions = { ...rules, noun: 'query parameter' };
  applyParameters(binding, parseParameters(query, options.noun), message, options);
}

/**
 * One message of a stream of requests. A frame is the body of the rule; if the rule has none it is the
 * whole request message, because it has no other place.
 *
 * @throws HttpRefusal that names the mistake and its place.
 */
export function readFrame(target: Target, body: RawBody, rules: ReadingRules): Message {
  const { binding } = target;
  if (binding.body.kind !== 'none') return readMessage(target, body, false, rules);
  const framed: Binding = { ...binding, body: { kind: 'whole' } };
  const message = readBody(framed, body, rules.json);
  applyPath(binding, target.segments, message);
  applyQuery(target, message, rules);
  assertRequired(framed, false, message);
  return message;
}

/**
 * Reads what path and query add to every message of a stream.
 *
 * @throws HttpRefusal for a mistake in them, which concerns all messages.
 */
export function checkParameters(target: Target, rules: ReadingRules): void {
  const message = create(target.binding.method.input);
  applyPath(target.binding, target.segments, message);
  applyQuery(target, message, rules);
}

/**
 * Fills in the field mask of a PATCH whose caller gave none, with the paths of the fields that
 * are in its body (AIP-134: "if the mask is omitted, an implied field mask equivalent to all
 * fields that are populated"). Paths are relative to the body's field, in proto names. A member
 * set to null is in the mask, so that a PATCH can clear it.
 */
function fillFieldMask(binding: Binding, body: Uint8Array, message: Message): void {
  const { maskField, body: rule } = binding;
  if (maskField === undefined || rule.kind !== 'field' || rule.field.message === undefined) return;
  if (body.length === 0 || readField(message, maskField) !== undefined) return;
  // A mask that nobody gave must not drop what somebody has set.
  if (rivalOf(message, maskField) !== undefined) return;
  // It was read as this message's JSON before, so that it is sound.
  const json: unknown = JSON.parse(Buffer.from(body).toString());
  const paths = [...pathsIn(rule.field.message, json, '')];
  assignField(message, maskField, create(FieldMaskSchema, { paths }));
}

function* pathsIn(desc: DescMessage, json: unknown, prefix: string): Iterable<string> {
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json)) {
    const field = fieldNamed(desc, name);
    if (field === undefined) continue;
    const path = prefix + field.name;
    const inner = isOpen(field) ? [...pathsIn(field.message, value, `${path}.`)] : [];
    if (inner.length > 0) yield* inner;
    else yield path;
  }
}

/**
 * Refuses a request message that lacks a required field, after all parts of the request had their say.
 *
 * @throws HttpRefusal that names the place of the field.
 */
function assertRequired({ method, body }: Binding, form: boolean, message: Message): void {
  const place = missingField(method.input, message);
  if (place === undefined) return;
  const problem = 'the required field is not set';
  if (body.kind === 'whole' && !form) throw bodyError(place, problem);
  throw badRequest(`${place}: ${problem}`, place.replace(/^\$\.?/, ''));
}
