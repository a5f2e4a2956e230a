import type { ProtoRegistry } from '@apix/proto/core';
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { JsonSchema } from './document.js';
import { type Rules, rulesIn, rulesOf } from './field-rules.js';

/** The rules of (buf.validate.field) for a field, as schema keywords. */
export interface FieldConstraints {
  readonly required: boolean;
  readonly keywords: JsonSchema;
  /** Keywords of the elements of a list, or of the values of a map. */
  readonly items: JsonSchema;
}

const NONE: FieldConstraints = { required: false, keywords: {}, items: {} };

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
  if (rules === undefined) return NONE;
  const nested = rulesIn(rules, 'repeated')['items'] ?? rulesIn(rules, 'map')['values'] ?? {};
  return {
    required: rules['required'] === true,
    keywords: keywordsOf(rules),
    items: keywordsOf(nested as Rules),
  };
}

function keywordsOf(rules: Rules): JsonSchema {
  const keywords: Record<string, unknown> = {};
  const text = rulesIn(rules, 'string');
  put(keywords, 'minLength', text['minLen'] ?? text['len']);
  put(keywords, 'maxLength', text['maxLen'] ?? text['len']);
  if (typeof text['pattern'] === 'string') keywords['pattern'] = text['pattern'];
  if (Array.isArray(text['in'])) keywords['enum'] = text['in'];
  if (text['const'] !== undefined) keywords['const'] = text['const'];
  for (const [rule, format] of Object.entries(STRING_FORMATS)) {
    if (text[rule] === true) keywords['format'] = format;
  }
  for (const type of NUMBERS) {
    const number = rulesIn(rules, type);
    put(keywords, 'minimum', number['gte']);
    put(keywords, 'maximum', number['lte']);
    put(keywords, 'exclusiveMinimum', number['gt']);
    put(keywords, 'exclusiveMaximum', number['lt']);
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

/** Sets a numeric keyword; lengths are 64-bit, and so text in JSON. */
function put(keywords: Record<string, unknown>, name: string, value: unknown): void {
  const number = Number(value);
  if (value !== undefined && Number.isFinite(number)) keywords[name] = number;
}

/** The JSON form of a scalar (ProtoJSON, "JSON Mapping"). */
export function scalarSchema(type: ScalarType): JsonSchema {
  switch (type) {
    case ScalarType.STRING:
      return { type: 'string' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.BYTES:
      return { type: 'string', contentEncoding: 'base64' };
    case ScalarType.DOUBLE:
      return { type: 'number', format: 'double' };
    case ScalarType.FLOAT:
      return { type: 'number', format: 'float' };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return { type: 'integer', format: 'int32' };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { type: 'integer', minimum: 0, maximum: 4_294_967_295 };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return { type: 'string', format: 'int64', pattern: '^-?[0-9]+$' };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: 'string', format: 'uint64', pattern: '^[0-9]+$' };
  }
}

const DETAIL: JsonSchema = {
  type: 'object',
  properties: { '@type': { type: 'string' } },
  required: ['@type'],
};

const WELL_KNOWN: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['google.protobuf.Timestamp', { type: 'string', format: 'date-time' }],
  ['google.protobuf.Duration', { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]{1,9})?s$' }],
  ['google.protobuf.FieldMask', { type: 'string' }],
  ['google.protobuf.Empty', { type: 'object' }],
  ['google.protobuf.Struct', { type: 'object' }],
  ['google.protobuf.ListValue', { type: 'array', items: {} }],
  ['google.protobuf.Value', {}],
  ['google.protobuf.Any', DETAIL],
]);

/** The schema of a message whose JSON is not an object of its fields; undefined for others. */
export function wellKnownSchema(desc: DescMessage): JsonSchema | undefined {
  if (!isWrapperDesc(desc)) return WELL_KNOWN.get(desc.typeName);
  const { type, ...rest } = scalarSchema(desc.fields[0].scalar);
  return { type: [type, 'null'], ...rest };
}
