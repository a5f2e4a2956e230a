import type { DescMessage } from '@bufbuild/protobuf';
import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { addKey, readEntries, skipValue } from './containers.js';

const PREFIX = 'type.googleapis.com/';
const TYPE = new TextEncoder().encode('"@type":');

/** The content type that the JSON of a google.protobuf.Any declares. */
export interface AnyType {
  readonly typeUrl: string;
  readonly desc: DescMessage;
}

/**
 * Looks at the type of the google.protobuf.Any that is next and leaves it unread; undefined for
 * an empty one, which is gone past.
 */
export function peekAny(source: JsonSource): AnyType | undefined {
  source.checkInside('google.protobuf.Any');
  if (source.peek() !== 0x7b) source.expected('an object for google.protobuf.Any');
  const start = source.at;
  source.at += 1;
  if (source.take(0x7d)) return undefined;
  const typeUrl = typeUrlAt(source, start);
  source.at = start;
  if (typeUrl === undefined || typeUrl === '') return source.fail('"@type" is empty');
  const name = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
  const desc = source.reading.registry.getMessage(name);
  if (desc === undefined) {
    return source.fail(`${quote(typeUrl).slice(1, -1)} is not in the type registry`);
  }
  return { typeUrl: `${PREFIX}${desc.typeName}`, desc };
}

/** `@type` is first as a rule; otherwise the object is gone through for it. */
function typeUrlAt(source: JsonSource, start: number): string | undefined {
  if (source.peek() === 0x22 && source.takeBytes(TYPE) && source.peek() === 0x22) {
    return source.string();
  }
  source.at = start;
  if (!source.anyTypes.has(start)) skipValue(source);
  return source.anyTypes.get(start);
}

/** Reads the object of a google.protobuf.Any whose content has its own JSON form, in the member `value`. */
export function readAnyValue(source: JsonSource, read: () => void): void {
  const seen = new Set<string>();
  readEntries(source, seen, (_, keys, key) => {
    addKey(source, keys, key);
    if (key === 'value') read();
    else if (key === '@type' || source.reading.ignoreUnknown) skipValue(source);
    else source.fail(`google.protobuf.Any has no field ${quote(key)} next to "@type" and "value"`);
  });
  if (!seen.has('value')) source.fail('"value" is missing next to "@type"');
}
