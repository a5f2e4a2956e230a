import type { IncomingMessage } from 'node:http';

/** Smaller chunks are copied together: by itself, each costs a hundred bytes besides its own. */
const SMALL_BYTES = 1_024;

/** Chunks that are copied together have this much room, in bytes. */
const ROOM_BYTES = 4_096;

/** The chunks of a body that have come so far. */
export class BodyChunks {
  #chunks: Buffer[] = [];
  /** Where small chunks are copied to: the last of the chunks has the first bytes of it. */
  #room: Buffer | undefined;
  #size = 0;

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    const chunks = this.#chunks;
    const last = chunks.at(-1);
    if (last === undefined || chunk.length >= SMALL_BYTES) {
      chunks.push(chunk);
      this.#room = undefined;
      return;
    }
    const taken = this.#room === undefined ? 0 : last.length;
    if (this.#room !== undefined && taken + chunk.length <= ROOM_BYTES) {
      chunk.copy(this.#room, taken);
      chunks[chunks.length - 1] = this.#room.subarray(0, taken + chunk.length);
      return;
    }
    this.#room = Buffer.allocUnsafe(ROOM_BYTES);
    chunk.copy(this.#room);
    chunks.push(this.#room.subarray(0, chunk.length));
  }

  /** All of them in one. */
  joined(): Buffer {
    return Buffer.concat(this.#chunks, this.#size);
  }

  clear(): void {
    this.#chunks = [];
    this.#room = undefined;
    this.#size = 0;
  }
}

/** Where middleware keeps the bytes of a body: Nest's `rawBody: true`, and body-parser's `raw()`. */
interface ParsedRequest {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/**
 * The body of a request that a middleware has read before, as it was sent; undefined if nothing has read it. `lost`: its
 * bytes are gone, and the result of a parser has lost digits of 64-bit integers, and members that were given twice.
 */
// Why: docs/decisions/0032
export function bodyReadBefore(req: IncomingMessage): Buffer | 'lost' | undefined {
  if (!req.readableDidRead) return undefined;
  const { rawBody, body } = req as ParsedRequest;
  const bytes = [rawBody, body].find((it) => it instanceof Uint8Array);
  if (bytes === undefined) return 'lost';
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
