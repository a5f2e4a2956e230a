import { Code, StatusError } from '@apix/contracts';
import { HttpRefusal } from '../errors.js';

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
  return new HttpRefusal(new StatusError(Code.UNAVAILABLE, message), {
    headers: { 'retry-after': '1' },
  });
}
