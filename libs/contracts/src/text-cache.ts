/** The limits of a {@link TextCache}. */
export interface TextCacheLimits {
  /** Texts. Default: 1,000. */
  readonly size?: number;
  /** UTF-16 units of a text; of a longer one nothing is kept. Default: 128. */
  readonly textLength?: number;
}

/** A full cache accepts one in this many new texts. */
const ADMITTED = 1 / 16;

/**
 * Caches values by text, for texts of which a program has few, such as names and templates. Texts that come
 * from data neither pile up nor displace what is in use: a full cache accepts one new text in sixteen and
 * drops the oldest, so that a cache that keeps missing costs little more than its look-ups.
 */
// Why: docs/decisions/0048
export class TextCache<T> {
  readonly #known = new Map<string, T>();
  readonly #size: number;
  readonly #textLength: number;

  constructor({ size = 1_000, textLength = 128 }: TextCacheLimits = {}) {
    this.#size = size;
    this.#textLength = textLength;
  }

  /** The value of the text. A text longer than the limit is not looked up: its hash would take long. */
  get(text: string): T | undefined {
    return text.length <= this.#textLength ? this.#known.get(text) : undefined;
  }

  /** Keeps the value for the text, or does not. */
  keep(text: string, value: T): void {
    if (text.length > this.#textLength) return;
    const known = this.#known;
    if (known.size >= this.#size && !known.has(text)) {
      if (Math.random() >= ADMITTED) return;
      const { value: oldest } = known.keys().next();
      if (oldest !== undefined) known.delete(oldest);
    }
    known.set(text, value);
  }
}

/**
 * A function that makes something once for each text that a {@link TextCache} keeps, and again for others.
 *
 * @param make must not return undefined.
 */
export function onceForText<T extends object | string | number | boolean | null>(
  make: (text: string) => T,
  limits?: TextCacheLimits,
): (text: string) => T {
  const cache = new TextCache<T>(limits);
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    cache.keep(text, made);
    return made;
  };
}
