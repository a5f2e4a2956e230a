import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { type IntegerRange, integerRangeOf } from '../../values/integer-range.js';
import { setOwn } from '../../values/set-own.js';
import { writeJsonText } from './text.js';
import { unexpected } from './unwritable-error.js';
import type { Fields } from './write-value.js';

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

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
export function jsonKeyCheck(type: ScalarType): ((key: string) => void) | undefined {
  const range = integerRangeOf(type);
  if (range !== undefined) return integerCheck(range);
  return type === ScalarType.BOOL ? checkBool : undefined;
}

function checkBool(key: string): void {
  if (key !== 'true' && key !== 'false') unexpectedKey('bool', key);
}

function integerCheck({ type, min, max }: IntegerRange): (key: string) => void {
  return (key) => {
    if (!INTEGER.test(key)) unexpectedKey(type, key);
    const value = BigInt(key);
    if (value < min || value > max) unexpectedKey(type, key);
  };
}

function unexpectedKey(type: string, key: string): never {
  return unexpected(`a map key of type ${type}`, key);
}
