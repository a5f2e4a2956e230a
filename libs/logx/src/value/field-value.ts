/**
 * The value of a field in an event: plain data, copied when it is logged. Objects inherit no members;
 * bytes are kept as bytes. A number may be NaN or infinite.
 */
export type FieldValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly FieldValue[]
  | { readonly [name: string]: FieldValue };

export function isBytes(value: FieldValue): value is Uint8Array {
  return value instanceof Uint8Array;
}
