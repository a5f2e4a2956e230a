import type { JsonValue } from '@bufbuild/protobuf';
import { isJsonObject } from './json-object.js';

/** JSON text in which an Any begins with its type, as protobuf-es has it last. */
export function typesFirst(json: JsonValue): string {
  if (Array.isArray(json)) return `[${json.map(typesFirst).join()}]`;
  if (!isJsonObject(json)) return JSON.stringify(json);
  const keys = Object.keys(json).toSorted((a, b) => Number(b === '@type') - Number(a === '@type'));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${typesFirst(json[key]!)}`).join()}}`;
}
