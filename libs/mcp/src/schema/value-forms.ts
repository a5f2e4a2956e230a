import type { JsonSchema } from '@apix/proto/internal';
import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';

/** Arguments are described as the codec takes them, answers as it writes them. */
// Why: docs/decisions/0540
export type SchemaSide = 'input' | 'output';

const INT32: JsonSchema = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 };
const UINT32: JsonSchema = { type: 'integer', minimum: 0, maximum: 4_294_967_295 };
/** As a number only as far as every JSON parser keeps its digits. */
const INT64: JsonSchema = {
  type: ['string', 'integer'],
  pattern: '^(0|-?[1-9][0-9]{0,18})$',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};
const UINT64: JsonSchema = {
  type: ['string', 'integer'],
  pattern: '^(0|[1-9][0-9]{0,19})$',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
};
const DOUBLE: JsonSchema = { type: ['number', 'string'], pattern: '^(NaN|-?Infinity)$' };
/** From here on a number is infinite as a float: the middle between the largest one and 2^128. */
const FLOAT_OVERFLOW = 3.4028235677973366e38;
const FLOAT: JsonSchema = {
  ...DOUBLE,
  exclusiveMinimum: -FLOAT_OVERFLOW,
  exclusiveMaximum: FLOAT_OVERFLOW,
};
/** The standard and the URL-safe alphabet, with or without padding. */
const BASE64 = '^([A-Za-z0-9+/_-]{4})*([A-Za-z0-9+/_-]{2}(==)?|[A-Za-z0-9+/_-]{3}=?)?$';

/** The JSON of a scalar. */
export function scalarForm(type: ScalarType, side: SchemaSide): JsonSchema {
  const isTaken = side === 'input';
  switch (type) {
    case ScalarType.STRING:
      return { type: 'string' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.BYTES:
      return { type: 'string', contentEncoding: 'base64', ...(isTaken && { pattern: BASE64 }) };
    case ScalarType.DOUBLE:
      return DOUBLE;
    case ScalarType.FLOAT:
      return isTaken ? FLOAT : DOUBLE;
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return isTaken ? INT32 : { type: 'integer' };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return isTaken ? UINT32 : { type: 'integer' };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return isTaken ? INT64 : { type: 'string', pattern: INT64['pattern'] };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return isTaken ? UINT64 : { type: 'string', pattern: UINT64['pattern'] };
  }
}

const INT32_KEY = { pattern: '^(0|-?[1-9][0-9]{0,9})$' };
const UINT32_KEY = { pattern: '^(0|[1-9][0-9]{0,9})$' };
const INT64_KEY = { pattern: INT64['pattern'] };
const UINT64_KEY = { pattern: UINT64['pattern'] };
const KEYS: ReadonlyMap<ScalarType, JsonSchema> = new Map<ScalarType, JsonSchema>([
  [ScalarType.BOOL, { enum: ['true', 'false'] }],
  [ScalarType.INT32, INT32_KEY],
  [ScalarType.SINT32, INT32_KEY],
  [ScalarType.SFIXED32, INT32_KEY],
  [ScalarType.UINT32, UINT32_KEY],
  [ScalarType.FIXED32, UINT32_KEY],
  [ScalarType.INT64, INT64_KEY],
  [ScalarType.SINT64, INT64_KEY],
  [ScalarType.SFIXED64, INT64_KEY],
  [ScalarType.UINT64, UINT64_KEY],
  [ScalarType.FIXED64, UINT64_KEY],
]);

/** The names of a map's keys; undefined for texts, of which each is one. */
export function keyForm(type: ScalarType): JsonSchema | undefined {
  return KEYS.get(type);
}

/** What `date-time` allows, without leap seconds, small letters and more than nine digits of a second. */
const TIMESTAMP =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$';

/** What a google.protobuf.Any must hold: nothing, or the type of its content besides. */
const ANY: JsonSchema = {
  type: 'object',
  description:
    'A message of any type: `@type` is "type.googleapis.com/" and its full name, next to it are its fields, or `value` ' +
    'for a type whose JSON is not an object of its fields.',
  properties: { '@type': { type: 'string' } },
  anyOf: [{ maxProperties: 0 }, { required: ['@type'] }],
};

/** Well-known types that are short enough to be repeated. */
const SHORT: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['google.protobuf.Duration', { type: 'string', pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,9})?s$' }],
  ['google.protobuf.FieldMask', { type: 'string', pattern: '^[^_]*$' }],
  ['google.protobuf.Struct', { type: 'object' }],
  ['google.protobuf.ListValue', { type: 'array' }],
  ['google.protobuf.Value', {}],
]);

/** The JSON of a well-known type that is not an object of its fields; undefined for other messages. */
export function wellKnownForm(desc: DescMessage, side: SchemaSide): JsonSchema | undefined {
  switch (desc.typeName) {
    case 'google.protobuf.Timestamp':
      return {
        type: 'string',
        format: 'date-time',
        ...(side === 'input' && { pattern: TIMESTAMP }),
      };
    case 'google.protobuf.Any':
      return ANY;
    default:
      return isWrapperDesc(desc)
        ? scalarForm(desc.fields[0].scalar, side)
        : SHORT.get(desc.typeName);
  }
}

/** Whether the form of a message is repeated rather than referred to. */
export function isShort(desc: DescMessage): boolean {
  return isWrapperDesc(desc) || SHORT.has(desc.typeName);
}
