const ID_BYTES = 16;
const ID_DIGITS = 2 * ID_BYTES;
/** Ids whose digits are one text, of which each is a part: an id that is kept keeps the text of all of them. */
const TEXT_BYTES = 16 * ID_BYTES;
/** Bytes that are drawn at once, because a call of the generator costs more than the bytes. */
const pool = Buffer.allocUnsafeSlow(16 * TEXT_BYTES);
let drawn = pool.length;
let digits = '';
let used = 0;

/** A random id of 128 bits in hexadecimal, to identify requests. */
export function newId(): string {
  if (used === digits.length) {
    if (drawn === pool.length) {
      process.getBuiltinModule('node:crypto').randomFillSync(pool);
      drawn = 0;
    }
    digits = pool.toString('hex', drawn, drawn + TEXT_BYTES);
    drawn += TEXT_BYTES;
    used = 0;
  }
  used += ID_DIGITS;
  return digits.slice(used - ID_DIGITS, used);
}
