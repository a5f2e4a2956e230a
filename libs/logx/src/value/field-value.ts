/**
 * The value of a field as events carry it: plain data, taken at the moment of logging. Objects
 * inherit no members; bytes are kept as bytes. A number may be NaN or infinite.
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
