import type { JsonSource } from './json-source.js';
import { setOwn } from '../../values/set-own.js';
import { readKey } from './skip-value.js';

/** Reads the array that is next, item by item. */
export function readArray<T>(
  source: JsonSource,
  into: T,
  readItem: (source: JsonSource, into: T) => void,
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
