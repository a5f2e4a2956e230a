/** The minimum size of any value, and of any object in addition to its content. */
const VALUE_BYTES = 8;
const OBJECT_BYTES = 64;

/** Deeper than any message of use; what lies below is not counted. */
const MAX_DEPTH = 32;

/**
 * About how many bytes of memory a message takes up, found without encoding it: the length of its
 * texts and bytes, and something for each object and number. Never less than 64 for an object.
 */
export function roughSize(value: unknown, depth = 0): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength;
  if (depth === MAX_DEPTH) return OBJECT_BYTES;
  let size = OBJECT_BYTES;
  for (const key in value) {
    size += roughSize((value as Readonly<Record<string, unknown>>)[key], depth + 1);
  }
  return size;
}
