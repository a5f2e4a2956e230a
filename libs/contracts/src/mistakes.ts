import { type Duration, durationProblem, formatDuration, parseDuration } from './duration.js';
import { shownValue } from './shown-value.js';
import { thrownText } from './thrown-text.js';

/** The least and the most that a number may be, both included. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/**
 * Collects everything that is wrong with options, to report it at once. A reader returns the value, or a
 * harmless one if it records a mistake: call {@link throwIfAny} before the values are used.
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

  /** A duration in milliseconds; the bounds are milliseconds too. */
  duration(where: string, value: Duration, { min = 0, max = Infinity }: Bounds = {}): number {
    const problem = durationProblem(value);
    if (problem !== null) {
      this.add(where, problem);
      return min;
    }
    const ms = parseDuration(value);
    if (ms < min) {
      const least = min <= 1 ? 'greater than 0' : `at least ${formatDuration(min)}`;
      this.add(where, `must be ${least}, not ${shownValue(value)}`);
    } else if (ms > max) {
      this.add(where, `must be at most ${formatDuration(max)}, not ${shownValue(value)}`);
    }
    return ms;
  }

  /** A whole number. */
  count(where: string, value: number, bounds: Bounds = {}): number {
    return this.#numberOf(where, value, bounds, 'an integer', Number.isSafeInteger(value));
  }

  /** A finite number. */
  number(where: string, value: number, bounds: Bounds = {}): number {
    return this.#numberOf(where, value, bounds, 'a number', Number.isFinite(value));
  }

  /** One of several texts. */
  choice<T extends string>(where: string, value: T, choices: readonly [T, ...T[]]): T {
    if (choices.includes(value)) return value;
    const list = choices.map((choice) => shownValue(choice)).join(', ');
    this.add(where, `must be one of ${list}, not ${shownValue(value)}`);
    return choices[0];
  }

  /** A text that is not empty. */
  text(where: string, value: string): string {
    if (typeof value === 'string' && value !== '') return value;
    this.add(where, `must be a non-empty string, not ${shownValue(value)}`);
    return '';
  }

  flag(where: string, value: boolean): boolean {
    if (typeof value === 'boolean') return value;
    this.add(where, `must be true or false, not ${shownValue(value)}`);
    return false;
  }

  callable<T>(where: string, value: T): T {
    if (typeof value !== 'function') {
      this.add(where, `must be a function, not ${shownValue(value)}`);
    }
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

  #numberOf(
    where: string,
    value: number,
    { min = -Infinity, max = Infinity }: Bounds,
    kind: string,
    isOfKind: boolean,
  ): number {
    if (isOfKind && value >= min && value <= max) return value;
    this.add(where, `must be ${kind}${rangeText(min, max)}, not ${shownValue(value)}`);
    return Number.isFinite(min) ? min : 0;
  }
}

function rangeText(min: number, max: number): string {
  if (min === -Infinity) return max === Infinity ? '' : ` of at most ${max}`;
  return max === Infinity ? ` of at least ${min}` : ` from ${min} to ${max}`;
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
