import { type Message, create } from '@bufbuild/protobuf';
import { type JsonCodec, MAX_WIRE_DEPTH } from '@apix/proto/core';
import type { MessageOrWire } from '@apix/calls';
import type { Binding } from '../rules/binding.js';
import { type RawBody, readBody, takesRawBody, wireOfBody } from './body.js';
import { fillFieldMask } from './field-mask.js';
import { applyForm } from './form.js';
import { applyPath } from './path.js';
import { type ParameterNoun, applyParameters, parseParameters } from './query.js';
import { assertRequired } from './required.js';

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
  const noun: ParameterNoun = 'query parameter';
  const { unknownFields, maxDepth } = rules;
  const options = { unknownFields, maxDepth, noun };
  applyParameters(binding, parseParameters(query, noun), message, options);
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
