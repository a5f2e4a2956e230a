import type { Batch } from '../bulk/batch.js';

/**
 * A batch on disk: this header, then the body of its request. The first byte says whether it
 * still has to be sent, and is the only one that ever changes.
 *
 *     0  1 state: W waits, D done      8  4 bytes of the body     16  8 time of the oldest event
 *     1  3 `ax1`                      12  4 CRC-32 of the body
 *     4  4 events                                              24  8 number of the batch
 */
export const HEADER_BYTES = 32;
export const DONE = Buffer.from('D');
const WAITS = 'W'.charCodeAt(0);
const MAGIC = 'ax1';

export interface RecordHeader {
  readonly waits: boolean;
  readonly count: number;
  readonly length: number;
  readonly crc: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Ascending in the order in which a process created its batches; kept when a batch is written again. */
  readonly number: number;
}

/** The metadata of a batch. */
export type Origin = Pick<RecordHeader, 'since' | 'number'>;

export function headerOf({ body, count }: Batch, { since, number }: Origin): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(WAITS, 0);
  header.write(MAGIC, 1, 'latin1');
  header.writeUInt32LE(count, 4);
  header.writeUInt32LE(body.length, 8);
  header.writeUInt32LE(process.getBuiltinModule('node:zlib').crc32(body), 12);
  header.writeDoubleLE(since, 16);
  header.writeDoubleLE(number, 24);
  return header;
}

/** Undefined for bytes that are not a header. */
export function readHeader(bytes: Buffer): RecordHeader | undefined {
  if (bytes.toString('latin1', 1, 4) !== MAGIC) return undefined;
  const state = bytes.readUInt8(0);
  if (state !== WAITS && state !== DONE[0]) return undefined;
  return {
    waits: state === WAITS,
    count: bytes.readUInt32LE(4),
    length: bytes.readUInt32LE(8),
    crc: bytes.readUInt32LE(12),
    since: bytes.readDoubleLE(16),
    number: bytes.readDoubleLE(24),
  };
}

export function isWhole(body: Buffer, crc: number): boolean {
  return process.getBuiltinModule('node:zlib').crc32(body) === crc;
}
