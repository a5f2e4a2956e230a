import fs from 'node:fs';
import { promisify } from 'node:util';
import type { Batch } from '../bulk/batch.js';
import {
  DONE,
  HEADER_BYTES,
  headerOf,
  isWhole,
  type Origin,
  readHeader,
  type RecordHeader,
} from './record.js';

const read = promisify(fs.read);

/** The location of a batch on disk. */
export interface Place {
  readonly segment: Segment;
  readonly offset: number;
  readonly header: RecordHeader;
}

/** One file of a spool: a sequence of records. It is deleted when none of them waits. */
export class Segment {
  #fd: number | undefined;
  #size: number;
  #waiting = 0;

  private constructor(
    readonly path: string,
    fd: number,
    size: number,
  ) {
    this.#fd = fd;
    this.#size = size;
  }

  /** @throws Error if the file cannot be created. */
  static create(path: string): Segment {
    return new Segment(path, fs.openSync(path, 'wx+', 0o600), 0);
  }

  /** Opens a file of an earlier process, and returns the records that wait in it, in order. */
  static recover(path: string): { segment: Segment; places: Place[]; tornBytes: number } {
    const fd = fs.openSync(path, 'r+');
    const size = fs.fstatSync(fd).size;
    const segment = new Segment(path, fd, size);
    const places: Place[] = [];
    const bytes = Buffer.alloc(HEADER_BYTES);
    let offset = 0;
    while (offset + HEADER_BYTES <= size) {
      fs.readSync(fd, bytes, 0, HEADER_BYTES, offset);
      const header = readHeader(bytes);
      const end = offset + HEADER_BYTES + (header?.length ?? Infinity);
      if (header === undefined || end > size) break;
      if (header.waits) places.push({ segment, offset, header });
      offset = end;
    }
    segment.#waiting = places.length;
    return { segment, places, tornBytes: size - offset };
  }

  get size(): number {
    return this.#size;
  }

  /** Whether all its records are done. */
  get isDone(): boolean {
    return this.#waiting === 0;
  }

  /** @throws Error if the record cannot be written; nothing more may be appended after that. */
  append(batch: Batch, origin: Origin): Place {
    const header = headerOf(batch, origin);
    const offset = this.#size;
    writeAll(this.#fd!, header, offset);
    writeAll(this.#fd!, batch.body, offset + header.length);
    this.#size += header.length + batch.body.length;
    this.#waiting++;
    return { segment: this, offset, header: readHeader(header)! };
  }

  /** @throws Error if the body cannot be read, or differs from what was written. */
  async read({ offset, header }: Place): Promise<Buffer> {
    const body = Buffer.allocUnsafe(header.length);
    const { bytesRead } = await read(this.#fd!, body, 0, body.length, offset + HEADER_BYTES);
    if (bytesRead === body.length && isWhole(body, header.crc)) return body;
    throw new Error(`${this.path} is damaged at byte ${offset}`);
  }

  /** Marks a record that must not be sent again. @throws Error if that cannot be written. */
  done({ offset }: Place): void {
    this.#waiting--;
    fs.writeSync(this.#fd!, DONE, 0, 1, offset);
  }

  close(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd);
    this.#fd = undefined;
  }

  remove(): void {
    this.close();
    fs.rmSync(this.path, { force: true });
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) {
    at += fs.writeSync(fd, bytes, at, bytes.length - at, position + at);
  }
}
