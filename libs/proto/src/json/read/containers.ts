import { setOwn } from '../../values/holder-value.js';
import type { JsonSource } from './json-source.js';

/** Reads the array that is next, item by item; with `refusesNull` an item must not be `null`. */
export function readArray<T>(
  source: JsonSource,
  into: T,
  readItem: (source: JsonSource, into: T) => void,
  refusesNull = false,
): void {
  if (source.peek() !== 0x5b) source.expected('an array');
  const { level, places } = source;
  if (level >= source.maxNesting) source.failNesting();
  source.at += 1;
  if (source.take(0x5d)) return;
  source.level = level + 1;
  let index = 0;
  do {
    places[level] = index;
    index += 1;
    if (refusesNull && source.takeNull()) source.fail('list item must not be null');
    readItem(source, into);
  } while (source.take(0x2c));
  source.level = level;
  if (!source.take(0x5d)) source.failAt(source.at, 'expected "," or "]"');
}

/** Reads the object that is next, entry by entry; its keys are data and no fields. */
export function readEntries<T>(
  source: JsonSource,
  into: T,
  readEntry: (source: JsonSource, into: T, key: string) => void,
): void {
  if (source.peek() !== 0x7b) source.expected('an object');
  const { level, places } = source;
  if (level >= source.maxNesting) source.failNesting();
  source.at += 1;
  if (source.take(0x7d)) return;
  source.level = level + 1;
  do {
    const key = readKey(source, level);
    places[level] = key;
    source.expectColon();
    readEntry(source, into, key);
  } while (source.take(0x2c));
  source.level = level;
  if (!source.take(0x7d)) source.failAt(source.at, 'expected "," or "}"');
}

/** An object that a document's keys are data of. */
export type Entries<T> = { [key: string]: T };

/** Reads an entry of any name into an object that does not have that name yet. */
export function addEntry<T>(
  source: JsonSource,
  entries: Entries<T>,
  key: string,
  read: (source: JsonSource) => T,
): void {
  if (Object.hasOwn(entries, key)) source.fail('given more than once');
  setOwn(entries, key, read(source));
}

/**
 * Skips a value that no field takes. It must be JSON, without an object that has a key twice. The `@type`
 * of each object on the way is remembered, so that a google.protobuf.Any whose type comes last costs one
 * look ahead, however deep they are nested.
 */
export function skipValue(source: JsonSource): void {
  const byte = source.peek();
  if (byte === 0x22) {
    if (source.plainString() === -1) source.string();
    return;
  }
  if (byte === 0x7b) return skipObject(source);
  if (byte === 0x5b) return readArray(source, undefined, skipValue);
  if (source.number() !== '' || source.takeNull() || source.boolean() !== undefined) return;
  source.failAt(source.at, 'expected a value');
}

function skipObject(source: JsonSource): void {
  readEntries(source, { start: source.at, keys: new Set<string>() }, skipEntry);
}

function skipEntry(
  source: JsonSource,
  { start, keys }: { readonly start: number; readonly keys: Set<string> },
  key: string,
): void {
  addKey(source, keys, key);
  if (key === '@type' && source.peek() === 0x22) source.anyTypes.set(start, source.string());
  else skipValue(source);
}

/** Adds a key of the object that is being read to those that it had. */
export function addKey(source: JsonSource, keys: Set<string>, key: string): void {
  if (keys.has(key)) source.fail('given more than once');
  keys.add(key);
}

/** Reads the name of a member of the object at `level`. */
export function readKey(source: JsonSource, level: number): string {
  if (source.peek() === 0x22) return source.string();
  source.level = level;
  return source.failAt(source.at, 'expected a member name in quotes');
}
