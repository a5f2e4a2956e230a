import type { DescEnum, DescField } from '@bufbuild/protobuf';
import { refuse } from './refuse.js';
import { int32Value } from './scalar-value.js';

/**
 * The check for numbers of a field's enum. An open enum takes every int32. A closed one takes its
 * own numbers, but every int32 in lists and maps, where protobuf-es keeps the others too.
 */
export function enumCheck(
  field: DescField & { readonly enum: DescEnum },
): (value: unknown) => number {
  const { enum: desc } = field;
  const expected = `a number of enum ${desc.typeName}`;
  if (desc.open || field.fieldKind !== 'enum') {
    return (value) => {
      if (typeof value === 'number' && (value | 0) === value) return int32Value(value);
      return refuse(expected, value);
    };
  }
  const numbers = new Set<unknown>(desc.values.map(({ number }) => number));
  return (value) => (numbers.has(value) ? int32Value(value) : refuse(expected, value));
}
