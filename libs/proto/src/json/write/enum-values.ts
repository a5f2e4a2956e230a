import type { DescEnum } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { type JsonFragment, NULL, fragment, writeFragment } from './fragments.js';
import { writeInteger } from './numbers.js';
import { unexpected } from './unwritable-error.js';
import type { WriteValue } from './write-value.js';

/** Values of an enum from 0 up to this are looked up by index. */
const LISTED_VALUES = 256;

/** Writes the name of an int32 in an enum; an unknown value is written as a number. */
export type WriteEnum = (sink: ByteSink, number: number) => void;

export function enumNameWriter(desc: DescEnum, asNumber: boolean): WriteEnum {
  if (desc.typeName === 'google.protobuf.NullValue') return (sink) => writeFragment(sink, NULL);
  if (asNumber) return writeInteger;
  const listed: JsonFragment[] = [];
  const others = new Map<number, JsonFragment>();
  for (const [key, value] of Object.entries(desc.value)) {
    const number = Number(key);
    const name = fragment(JSON.stringify(value.jsonName));
    if (number >= 0 && number < LISTED_VALUES) listed[number] = name;
    else others.set(number, name);
  }
  return (sink, number) => {
    const name = number >= 0 && number < listed.length ? listed[number] : others.get(number);
    if (name === undefined) writeInteger(sink, number);
    else writeFragment(sink, name);
  };
}

export function enumWriter(desc: DescEnum, asNumber: boolean): WriteValue {
  const writeName = enumNameWriter(desc, asNumber);
  return (sink, key, value) => {
    if (typeof value !== 'number' || (value | 0) !== value) {
      unexpected(`a number of the enum ${desc.typeName}`, value);
    }
    writeFragment(sink, key);
    writeName(sink, value);
  };
}
