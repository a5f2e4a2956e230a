const ID_BYTES = 16;
/** Random bytes are drawn for many ids at once: the call costs more than the bytes. */
const pool = Buffer.allocUnsafeSlow(ID_BYTES * 256);
let used = pool.length;

/** A random id of 128 bits in hexadecimal, to identify requests. */
export function newId(): string {
  if (used === pool.length) {
    process.getBuiltinModule('node:crypto').randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.toString('hex', used - ID_BYTES, used);
}
