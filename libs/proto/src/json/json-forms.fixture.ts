import type { JsonObject, JsonValue, DescField, DescMessage } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';

/** True for a JSON object; false for null and arrays. */
function isJsonObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** JSON text in which an Any begins with its type, as protobuf-es has it last. */
export function typesFirst(json: JsonValue): string {
  if (Array.isArray(json)) return `[${json.map(typesFirst).join()}]`;
  if (!isJsonObject(json)) return JSON.stringify(json);
  const keys = Object.keys(json).toSorted((a, b) => Number(b === '@type') - Number(a === '@type'));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${typesFirst(json[key]!)}`).join()}}`;
}

/**
 * Adds `null` for every message field that is not set, outside of oneofs, in field order: what
 * protobuf-es' `alwaysEmitImplicit` leaves out. A google.protobuf.Value stays away, because
 * `null` is a value of it.
 */
export function withNulls(desc: DescMessage, json: JsonValue, protoNames: boolean): JsonValue {
  if (hasCustomJsonRepresentation(desc) || !isJsonObject(json)) return json;
  const out: JsonObject = Object.create(null) as JsonObject;
  for (const field of desc.fields.toSorted((a, b) => a.number - b.number)) {
    const key = protoNames ? field.name : field.jsonName;
    const value = json[key];
    if (value === undefined) {
      if (hasNull(field)) out[key] = null;
      continue;
    }
    out[key] = field.message === undefined ? value : nested(field, field.message, value);
  }
  for (const [key, value] of Object.entries(json)) out[key] ??= value;
  return out;

  function nested(field: DescField, message: DescMessage, value: JsonValue): JsonValue {
    const inner = (item: JsonValue): JsonValue => withNulls(message, item, protoNames);
    if (field.fieldKind === 'list' && Array.isArray(value)) return value.map(inner);
    if (field.fieldKind === 'map' && isJsonObject(value)) {
      const entries = Object.create(null) as JsonObject;
      for (const [key, item] of Object.entries(value)) entries[key] = inner(item);
      return entries;
    }
    return inner(value);
  }
}

function hasNull(field: DescField): boolean {
  return (
    field.fieldKind === 'message' &&
    field.oneof === undefined &&
    field.message.typeName !== 'google.protobuf.Value'
  );
}
