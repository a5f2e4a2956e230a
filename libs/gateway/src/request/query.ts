import { thrownText } from '@apix/contracts';
import { HIDDEN_PROBLEM, isRedacted } from '@apix/proto/internal';
import type { DescField, Message } from '@bufbuild/protobuf';
import { badRequest, quotedInput } from '../errors.js';
import type { Binding } from '../rules/binding.js';
import { assignField, dottedName, followPath, openParent } from './fields.js';
import { textParserOf } from './text-value.js';
import type { RawBody } from './body.js';

/** The name of a parameter in error messages. */
export type ParameterNoun = 'query parameter' | 'form field';

export interface ParameterOptions {
  /** What happens to a parameter that names no field. */
  readonly unknownFields: 'refuse' | 'ignore';
  readonly noun: ParameterNoun;
  /** How deep messages may be nested. */
  readonly maxDepth: number;
}

/** One name and value of a query string or form, decoded. */
export type QueryPair = readonly [name: string, value: string];

/**
 * Splits a query string (without `?`) or a form as application/x-www-form-urlencoded: `+` is a space.
 *
 * @throws HttpRefusal for a malformed escape, naming the parameter.
 */
export function parseParameters(text: string, noun: ParameterNoun): QueryPair[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const name = equals === -1 ? part : part.slice(0, equals);
      return [decodePart(name, name, noun), decodePart(part.slice(name.length + 1), name, noun)];
    });
}

function decodePart(text: string, name: string, noun: ParameterNoun): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw badRequest(`${noun} ${quotedInput(name)}: not percent-encoded UTF-8`, '', error);
  }
}

/**
 * Sets the fields that parameters name (google/api/http.proto: "the parameter name is the field path in the
 * request message"; both spellings of a name are taken). A field that the path or the body binds is not a
 * parameter.
 *
 * @throws HttpRefusal that names the parameter.
 */
export function applyParameters(
  binding: Binding,
  parameters: readonly QueryPair[],
  message: Message,
  options: ParameterOptions,
): void {
  const { noun, maxDepth } = options;
  const seen = new Set<string>();
  for (const [name, text] of parameters) {
    const { fields, problem } = followPath(binding.method.input, name.split('.', maxDepth + 1));
    const leaf = fields.at(-1);
    // The request message is the first level, and one in the last field one more.
    const depth = fields.length + (leaf?.message === undefined ? 0 : 1);
    if (depth > maxDepth) {
      throw badRequest(
        `${noun} ${quotedInput(name)} names a field nested deeper than ${maxDepth} levels`,
      );
    }
    if (problem !== undefined || leaf === undefined) {
      if (options.unknownFields === 'ignore') continue;
      throw badRequest(`${noun} ${quotedInput(name)}: ${problem ?? 'not a field'}`, name);
    }
    const path = dottedName(fields);
    const refuse = (what: string, cause?: unknown) =>
      badRequest(`${noun} ${quotedInput(name)} ${what}`, path, cause);

    const elsewhere = boundElsewhere(binding, path);
    if (elsewhere !== undefined) throw refuse(`cannot be used here: ${elsewhere}`);
    const parse = textParserOf(leaf);
    if (parse === undefined) throw refuse(`names ${kindOf(leaf)}, which a parameter cannot hold`);
    if (leaf.fieldKind !== 'list' && seen.has(path)) {
      throw refuse('is given twice, but its field is not repeated');
    }
    seen.add(path);
    const parent = openParent(message, fields, ({ jsonName }) =>
      refuse(`cannot be set together with ${jsonName}: they are in one oneof`),
    );
    let value: unknown;
    try {
      value = parse(text);
    } catch (error) {
      if (fields.some(isRedacted)) throw refuse(`has ${HIDDEN_PROBLEM}`);
      throw refuse(`has the value ${quotedInput(text)}, which is ${thrownText(error)}`, error);
    }
    assignField(parent, leaf, value);
  }
}

function boundElsewhere(binding: Binding, path: string): string | undefined {
  if (binding.variables.some(({ fields }) => dottedName(fields) === path)) {
    return 'the path binds this field';
  }
  if (binding.body.kind === 'whole') return 'all fields outside of the path are in the body';
  if (binding.body.kind === 'none') return undefined;
  const { name } = binding.body.field;
  return path === name || path.startsWith(`${name}.`) ? 'the body holds this field' : undefined;
}

function kindOf(field: DescField): string {
  if (field.fieldKind === 'map') return 'a map';
  const type = field.message?.typeName ?? 'a message';
  return field.fieldKind === 'list' ? `repeated ${type}` : type;
}

/**
 * Sets the fields that a form as the body names like query parameters, relative to the body: in the body's
 * field or in the whole message.
 *
 * @throws HttpRefusal that names the form field.
 */
export function applyForm(
  binding: Binding,
  body: RawBody,
  message: Message,
  rules: Omit<ParameterOptions, 'noun'>,
): void {
  const options: ParameterOptions = { ...rules, noun: 'form field' };
  const fields = parseParameters(Buffer.from(body.bytes).toString('latin1'), options.noun);
  if (binding.body.kind === 'field' && binding.body.field.fieldKind !== 'message') {
    throw badRequest(`request body: a form cannot be read as the field ${binding.body.field.name}`);
  }
  const prefix = binding.body.kind === 'field' ? `${binding.body.field.name}.` : '';
  const named = fields.map(([name, value]) => [prefix + name, value] as const);
  // Nothing is bound elsewhere but by the path.
  applyParameters({ ...binding, body: { kind: 'none' } }, named, message, options);
}
