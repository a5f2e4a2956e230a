const ID_BYTES = 16;
const ID_DIGITS = 2 * ID_BYTES;
/**
 * Several ids are generated at once, because the calls cost more than the bytes. An id that is kept also
 * keeps the text of this many.
 */
const DRAWN = 16;
const pool = Buffer.allocUnsafeSlow(ID_BYTES * DRAWN);
let digits = '';
let used = 0;

/** A random id of 128 bits in hexadecimal, to identify requests. */
export function newId(): string {
  if (used === digits.length) {
    process.getBuiltinModule('node:crypto').randomFillSync(pool);
    digits = pool.toString('hex');
    used = 0;
  }
  used += ID_DIGITS;
  return digits.slice(used - ID_DIGITS, used);
}
