import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** True for a JSON object; false for null and arrays. */
export function isJsonObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
