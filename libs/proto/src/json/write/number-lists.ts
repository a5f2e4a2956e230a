import { ScalarType } from '@bufbuild/protobuf';
import { closeArray, writeFragment } from './fragments.js';
import { writeDoubles } from './numbers.js';
import type { WriteValue } from './write-value.js';

/** From here on to write doubles at once is worth the calls. */
export const MANY_DOUBLES = 6;

/** Writes lists of a scalar type: `write` does it one by one, which long ones of doubles are not. */
export function numberListWriter(type: ScalarType, write: WriteValue): WriteValue {
  if (type !== ScalarType.DOUBLE && type !== ScalarType.FLOAT) return write;
  const isFloat = type === ScalarType.FLOAT;
  return (sink, key, value, depth) => {
    const numbers = Array.isArray(value) && value.length >= MANY_DOUBLES;
    const finite = numbers ? finiteNumbers(value, isFloat) : undefined;
    if (finite === undefined) return write(sink, key, value, depth);
    writeFragment(sink, key);
    const start = sink.at;
    writeDoubles(sink, finite);
    closeArray(sink, start);
  };
}

/** A copy, which no getter can change any more; undefined where an item is something else. */
function finiteNumbers(items: readonly unknown[], isFloat: boolean): number[] | undefined {
  const numbers: number[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item !== 'number') return undefined;
    const number = isFloat ? Math.fround(item) : item;
    if (!Number.isFinite(number)) return undefined;
    numbers.push(number);
  }
  return numbers;
}
