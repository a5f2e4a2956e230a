import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { JsonSchema } from '@apix/proto/internal';

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
