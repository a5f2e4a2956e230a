import { Code } from '@apix/contracts';
import { type HttpRefusal, refusal } from '../errors.js';

/** A body, or the messages of a WebSocket, of which bytes wait to be decoded. */
export interface BodyHolder {
  readonly heldBytes: number;
  /** Since when they wait and nothing of them was decoded, by `performance.now()`. */
  readonly heldSince: number;
  /** Gives all of it back, and ends the request. */
  giveUp(error: HttpRefusal): void;
}

/** How long bytes may wait before they make room for others, in milliseconds. */
const PATIENCE_MS = 5_000;

/** The bytes of request bodies, and of messages of WebSockets, that wait to be decoded, in all. */
export class BodyBudget {
  readonly #holders = new Set<BodyHolder>();
  #used = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes that wait now. */
  get used(): number {
    return this.#used;
  }

  /**
   * Counts bytes until they are given back. A single body is accepted whatever its size. If there is no
   * room, those that have waited for 5 s are given up, the largest first, until there is.
   *
   * @throws HttpRefusal, 503, if that does not make room, or if this holder is the next to be given up.
   */
  take(holder: BodyHolder, bytes: number): void {
    // Why: docs/decisions/0181
    if (!this.#hasRoomFor(bytes)) this.#makeRoom(holder, bytes);
    this.#holders.add(holder);
    this.#used += bytes;
  }

  giveBack(holder: BodyHolder, bytes: number): void {
    this.#used -= bytes;
    if (holder.heldBytes === 0) this.#holders.delete(holder);
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.maxBytes;
  }

  #makeRoom(holder: BodyHolder, bytes: number): void {
    for (const most of this.#overdue()) {
      if (most === holder) break;
      most.giveUp(overBudget());
      if (this.#hasRoomFor(bytes)) return;
    }
    throw overBudget();
  }

  /** Those that have waited for long, the one with most first. */
  #overdue(): BodyHolder[] {
    const since = performance.now() - PATIENCE_MS;
    return [...this.#holders]
      .filter(({ heldSince }) => heldSince <= since)
      .toSorted((one, other) => other.heldBytes - one.heldBytes);
  }
}

function overBudget(): HttpRefusal {
  const message = 'request body: too many bodies are being received; try again later';
  return refusal(Code.UNAVAILABLE, message, { headers: { 'retry-after': '1' } });
}

/** Bytes of each body that count for nothing. */
const FREE_BYTES = 64 * 1024;

/** Bytes that may be ahead of decisions at a time. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The largest body that is read ahead: what it takes to decode one holds up all other callers. */
const MAX_BYTES_EACH = 1024 * 1024;

/** Bytes of refused callers that are forgiven in a millisecond: 2 MiB a second. */
const FORGIVEN_BYTES_PER_MS = (2 * 1024 * 1024) / 1_000;

/**
 * What was read and decoded of bodies before it was known whether their callers are let in. Bytes of callers who are
 * refused count for a while, so that they cannot keep the process busy.
 */
// Why: docs/decisions/0180
export class ReadAhead {
  #bytes = 0;
  #countedAt = performance.now();

  /**
   * The bytes of one request.
   *
   * @param announced how many it will be; 0 if that is not known.
   */
  share(announced: number): ReadAheadShare {
    return new ReadAheadShare(this, announced <= MAX_BYTES_EACH ? MAX_BYTES_EACH : 0);
  }

  /** Counts bytes, if there is room for them. */
  take(bytes: number): boolean {
    this.#forgive();
    if (this.#bytes + bytes > MAX_BYTES) return false;
    this.#bytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#forgive();
    this.#bytes = Math.max(this.#bytes - bytes, 0);
  }

  #forgive(): void {
    const now = performance.now();
    this.#bytes = Math.max(this.#bytes - (now - this.#countedAt) * FORGIVEN_BYTES_PER_MS, 0);
    this.#countedAt = now;
  }
}

/** What one request has of {@link ReadAhead}. */
export class ReadAheadShare {
  #readBytes = 0;
  #countedBytes = 0;

  constructor(
    private readonly all: ReadAhead,
    private readonly maxBytes: number,
  ) {}

  /** Nothing of the body is read ahead: all of it cannot be. */
  get isNone(): boolean {
    return this.maxBytes === 0;
  }

  /** Whether so many bytes more may be read before the caller is let in. */
  take(bytes: number): boolean {
    this.#readBytes += bytes;
    if (this.#readBytes <= FREE_BYTES) return true;
    if (this.#countedBytes + bytes > this.maxBytes || !this.all.take(bytes)) return false;
    this.#countedBytes += bytes;
    return true;
  }

  /** Its caller was let in. */
  giveBack(): void {
    if (this.#countedBytes > 0) this.all.giveBack(this.#countedBytes);
    this.#countedBytes = 0;
  }
}
