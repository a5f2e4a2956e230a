import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** True for a JSON object, which neither null nor an array is. */
export function isJsonObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
