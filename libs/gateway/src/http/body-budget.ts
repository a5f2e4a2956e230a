import { Code, StatusError } from '@apix/contracts';
import { HttpRefusal } from '../errors.js';

/** The bytes of request bodies, and of messages of WebSockets, that wait to be decoded, in all. */
export class BodyBudget {
  #used = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes that wait now. */
  get used(): number {
    return this.#used;
  }

  /**
   * Counts bytes until they are given back. Something alone is taken whatever its size.
   *
   * @throws HttpRefusal, 503, beyond the limit.
   */
  take(bytes: number): void {
    // Why: docs/decisions/0181
    if (this.#used > 0 && this.#used + bytes > this.maxBytes) throw overBudget();
    this.#used += bytes;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}

function overBudget(): HttpRefusal {
  const message = 'request body: too many bodies are being received; try again later';
  return new HttpRefusal(new StatusError(Code.UNAVAILABLE, message), {
    headers: { 'retry-after': '1' },
  });
}
