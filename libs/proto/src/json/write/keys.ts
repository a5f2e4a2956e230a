import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { integerRangeOf } from '../../values/integer-range.js';
import { type MapKeyType, mapKeyCheck } from '../../values/map-key.js';
import { setOwn } from '../../values/holder-value.js';
import { writeJsonText } from './text.js';
import { unexpected, type Fields } from './write-value.js';

const ARRAY_INDEX = /^(?:0|[1-9]\d{0,9})$/;
const NINE = 0x39;
const LAST_ARRAY_INDEX = 2 ** 32 - 2;

/** The name that a field has in JSON. */
export function keyOf(field: DescField, protoNames: boolean): string {
  return protoNames ? field.name : field.jsonName;
}

/**
 * The fields of a message in the order in which JSON has them: by number, but as the members of
 * a JavaScript object, of which those that look like an index come first.
 */
export function fieldsInOrder(desc: DescMessage, protoNames: boolean): readonly DescField[] {
  const rank = (field: DescField): number => {
    const key = keyOf(field, protoNames);
    return isArrayIndex(key) ? Number(key) : 2 ** 32 + field.number;
  };
  return desc.fields.toSorted((a, b) => rank(a) - rank(b));
}

/** True for keys that a JavaScript object puts before all others, in order of their value. */
export function isArrayIndex(key: string): boolean {
  return key.charCodeAt(0) <= NINE && ARRAY_INDEX.test(key) && Number(key) <= LAST_ARRAY_INDEX;
}

/** The comma, two quotes and the colon. */
const AROUND_KEY = 4;

/**
 * Writes the key of a map's entry, between the comma and the value.
 *
 * @returns false for a key with half of a surrogate pair: see {@link wellFormedEntries}.
 */
export function writeMapKey(sink: ByteSink, key: string): boolean {
  const { at } = sink;
  sink.reserve(1);
  sink.bytes[sink.at++] = 0x2c;
  writeJsonText(sink, key);
  sink.reserve(1);
  sink.bytes[sink.at++] = 0x3a;
  return sink.at - at === key.length + AROUND_KEY || key.isWellFormed();
}

/**
 * The entries by keys that UTF-8 has. Of keys that become one the last counts, as on the wire: a
 * document with a key twice could not be read again.
 */
export function wellFormedEntries(entries: Fields): Fields {
  const wellFormed: Record<string, unknown> = {};
  for (const key of Object.keys(entries)) setOwn(wellFormed, key.toWellFormed(), entries[key]);
  return wellFormed;
}

/** Refuses keys that no value of the key's type has; undefined where every text is one. */
export function jsonKeyCheck(type: MapKeyType): ((key: string) => void) | undefined {
  if (type === ScalarType.STRING) return undefined;
  const check = mapKeyCheck(type);
  const expected = `a map key of type ${integerRangeOf(type)?.type ?? 'bool'}`;
  return (key) => {
    try {
      check(key);
    } catch {
      unexpected(expected, key);
    }
  };
}
