/** The minimum size of any value, and of any object in addition to its content. */
const VALUE_BYTES = 8;
const OBJECT_BYTES = 64;

/** Deeper than any message of use; what lies below is not counted. */
const MAX_DEPTH = 32;

type Fields = Readonly<Record<string, unknown>>;

/**
 * About how many bytes of memory a message takes up, found without encoding it: the length of its
 * texts and bytes, and something for each object and number. Never less than 64 for an object; what it
 * inherits is not counted.
 */
export function roughSize(value: unknown): number {
  return sizeOf(value, 0);
}

function sizeOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (Array.isArray(value))
    return OBJECT_BYTES + (depth < MAX_DEPTH ? sizeOfList(value, depth) : 0);
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength;
  return OBJECT_BYTES + (depth < MAX_DEPTH ? sizeOfFields(value as Fields, depth) : 0);
}

// A loop over indices, and over the keys of plain objects alone: over others it is ten times as slow.
function sizeOfList(list: readonly unknown[], depth: number): number {
  let size = 0;
  for (let at = 0; at < list.length; at += 1) size += sizeOf(list[at], depth + 1);
  return size;
}

function sizeOfFields(fields: Fields, depth: number): number {
  let size = 0;
  const prototype: unknown = Object.getPrototypeOf(fields);
  if (prototype === Object.prototype || prototype === null) {
    for (const key in fields) size += sizeOf(fields[key], depth + 1);
  } else {
    for (const key of Object.keys(fields)) size += sizeOf(fields[key], depth + 1);
  }
  return size;
}
