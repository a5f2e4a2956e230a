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
