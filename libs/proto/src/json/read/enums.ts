import type { DescEnum, DescExtension, DescField } from '@bufbuild/protobuf';
import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { readInt32 } from './numbers.js';

/** The JSON of a field of this type may be `null`, which is its only value. */
function isNullValue(desc: DescEnum | undefined): boolean {
  return desc?.typeName === 'google.protobuf.NullValue';
}

/**
 * How values of an enum are read, by name or by number; a closed enum has only the numbers that it
 * declares. The reader returns undefined for an unknown name if unknown names are ignored.
 */
export function enumReader(desc: DescEnum): (source: JsonSource) => number | undefined {
  const numbers = new Map(desc.values.map((value) => [value.jsonName, value.number]));
  for (const { name, number } of desc.values) numbers.set(name, number);
  const isNullable = isNullValue(desc);
  return (source) => {
    const byte = source.peek();
    if (byte === 0x22) {
      const name = source.string();
      const number = numbers.get(name);
      if (number !== undefined || source.reading.ignoreUnknown) return number;
      return source.fail(`expected ${desc.typeName}, got ${quote(name)}`);
    }
    if (isNullable && source.takeNull()) return 0;
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) return source.expected(desc.typeName);
    const number = readInt32(source);
    if (desc.open || desc.value[number] !== undefined) return number;
    return source.fail(`expected ${desc.typeName}, got ${number}, which it does not declare`);
  };
}

/** Whether `null` is a value of the field, rather than leaving it unset. */
export function isNullable(field: DescField | DescExtension): boolean {
  return field.message?.typeName === 'google.protobuf.Value' || isNullValue(field.enum);
}
