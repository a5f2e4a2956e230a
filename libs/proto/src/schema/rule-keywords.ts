import type { DescField } from '@bufbuild/protobuf';
import type { ProtoRegistry } from '../proto-registry.js';
import { type Rules, rulesIn, rulesOf } from './field-rules.js';
import { ecmaPattern } from './ecma-pattern.js';

/** A JSON Schema of the dialect 2020-12, which OpenAPI 3.1 and the Model Context Protocol use. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The rules of (buf.validate.field) for a field, as schema keywords. */
export interface FieldConstraints {
  readonly required: boolean;
  readonly keywords: JsonSchema;
  /** Keywords of the elements of a list, or of the values of a map. */
  readonly items: JsonSchema;
  /** Keywords of the keys of a map. */
  readonly keys: JsonSchema;
}

const NONE: FieldConstraints = { required: false, keywords: {}, items: {}, keys: {} };

const STRING_FORMATS: Readonly<Record<string, string>> = {
  email: 'email',
  hostname: 'hostname',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  uri: 'uri',
  uriRef: 'uri-reference',
  uuid: 'uuid',
};

/** 64-bit integers are JSON strings, which have no minimum. */
const NUMBERS = ['float', 'double', 'int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'];

/** Rules without a keyword in JSON Schema (CEL above all) are left out. */
export function constraintsOf(protos: ProtoRegistry, field: DescField): FieldConstraints {
  const rules = rulesOf(protos, field);
  if (rules === undefined || isIgnored(rules)) return NONE;
  const { items, values } = nestedRules(rules);
  const keys = rulesIn(rulesIn(rules, 'map'), 'keys');
  return {
    required: rules['required'] === true,
    keywords: keywordsOf(rules),
    items: keywordsOf(items ?? values ?? {}),
    keys: keywordsOf(keys),
  };
}

/** The rules of the items of a list, or of the values of a map. */
export function nestedRules(rules: Rules): { readonly items?: Rules; readonly values?: Rules } {
  const items = rulesIn(rules, 'repeated')['items'] as Rules | undefined;
  const values = rulesIn(rules, 'map')['values'] as Rules | undefined;
  return { ...(items && { items }), ...(values && { values }) };
}

/** Whether rules are switched off. */
export function isIgnored(rules: Rules): boolean {
  return rules['ignore'] === 'IGNORE_ALWAYS';
}

function keywordsOf(rules: Rules): JsonSchema {
  if (isIgnored(rules)) return {};
  const keywords: Record<string, unknown> = {};
  const text = rulesIn(rules, 'string');
  put(keywords, 'minLength', text['minLen'] ?? text['len']);
  put(keywords, 'maxLength', text['maxLen'] ?? text['len']);
  if (typeof text['pattern'] === 'string') {
    const pattern = ecmaPattern(text['pattern']);
    if (pattern !== undefined) keywords['pattern'] = pattern;
  }
  if (Array.isArray(text['in'])) keywords['enum'] = text['in'];
  if (text['const'] !== undefined) keywords['const'] = text['const'];
  for (const [rule, format] of Object.entries(STRING_FORMATS)) {
    if (text[rule] === true) keywords['format'] = format;
  }
  for (const type of NUMBERS) {
    const number = rulesIn(rules, type);
    if (!isInverted(number)) {
      put(keywords, 'minimum', number['gte']);
      put(keywords, 'maximum', number['lte']);
      put(keywords, 'exclusiveMinimum', number['gt']);
      put(keywords, 'exclusiveMaximum', number['lt']);
    }
    if (Array.isArray(number['in'])) keywords['enum'] = number['in'];
    if (number['const'] !== undefined) keywords['const'] = number['const'];
  }
  const list = rulesIn(rules, 'repeated');
  put(keywords, 'minItems', list['minItems']);
  put(keywords, 'maxItems', list['maxItems']);
  if (list['unique'] === true) keywords['uniqueItems'] = true;
  const map = rulesIn(rules, 'map');
  put(keywords, 'minProperties', map['minPairs']);
  put(keywords, 'maxProperties', map['maxPairs']);
  return keywords;
}

/** Whether the lower bound is above the upper one, which asks for a value that is not between them. */
export function isInverted(rules: Rules): boolean {
  const lower = rules['gt'] ?? rules['gte'];
  const upper = rules['lt'] ?? rules['lte'];
  return lower !== undefined && upper !== undefined && Number(upper) < Number(lower);
}

/** Sets a numeric keyword; lengths are 64-bit, and so text in JSON. */
function put(keywords: Record<string, unknown>, name: string, value: unknown): void {
  const number = Number(value);
  if (value !== undefined && Number.isFinite(number)) keywords[name] = number;
}
