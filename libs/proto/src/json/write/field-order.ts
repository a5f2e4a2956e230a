import type { DescField, DescMessage } from '@bufbuild/protobuf';

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
