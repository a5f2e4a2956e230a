import { thrownText } from './shown-value.js';

/** The least and the most that a number may be, both included. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/**
 * Collects everything that is wrong with options, to report it at once. Options are read with a harmless
 * value in place of a wrong one: call {@link throwIfAny} before the values are used.
 */
export class Mistakes {
  readonly #found: string[] = [];

  /** The mistakes so far, each as `option: what is wrong`, in the order in which they were found. */
  get found(): readonly string[] {
    return this.#found;
  }

  /** @param where the option, such as `tls.cert`; empty for the options as a whole. */
  add(where: string, what: string): void {
    this.#found.push(where === '' ? what : `${where}: ${what}`);
  }

  /** Returns what `read` returns, and records the mistakes that it finds under `where`: `service a: restart.factor: …`. */
  under<T>(where: string, read: (mistakes: Mistakes) => T): T {
    const inner = new Mistakes();
    const value = read(inner);
    for (const mistake of inner.found) this.add(where, mistake);
    return value;
  }

  /**
   * Returns what `read` returns. If it throws, the error becomes the mistake and `otherwise` is returned.
   */
  attempt<T>(where: string, read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      this.add(where, thrownText(error));
      return otherwise;
    }
  }

  /** @throws what `make` returns for the mistakes, if there are any. */
  throwIfAny(make: (mistakes: readonly string[]) => Error): void {
    if (this.#found.length > 0) throw make([...this.#found]);
  }
}

/** `grpc: port: …` for one mistake; for several their number and one line for each. */
export function mistakesText(subject: string, mistakes: readonly string[]): string {
  if (mistakes.length === 1) return `${subject}: ${mistakes[0]}`;
  const lines = mistakes.map((mistake) => `\n  ${mistake}`).join('');
  return `${subject}: ${mistakes.length} mistakes:${lines}`;
}

/** Options that cannot be used, with everything that is wrong with them. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';

  /** @param subject the package and what the options are for: `cron: job sweep`. */
  constructor(
    subject: string,
    /** Each as `option: what is wrong`. */
    readonly mistakes: readonly string[],
    options?: ErrorOptions,
  ) {
    super(mistakesText(subject, mistakes), options);
  }
}
