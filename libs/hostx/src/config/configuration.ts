import { isDeepStrictEqual } from 'node:util';
import { RELOADABLE, type Reloadable } from '@apix/contracts';
import { type ConfigurationOptions, loadConfiguration } from './load-configuration.js';

type Listener<T> = (value: T, before: T) => void | Promise<void>;

/** A configuration that was checked, and can be read again while the process runs. */
export class Configuration<T> implements Reloadable {
  readonly [RELOADABLE] = true as const;
  readonly name = 'configuration';
  readonly #options: ConfigurationOptions<T>;
  readonly #listeners = new Set<Listener<T>>();
  #value: T;

  private constructor(options: ConfigurationOptions<T>, value: T) {
    this.#options = options;
    this.#value = value;
  }

  /** @throws ConfigurationError that lists every mistake with its source. */
  static async load<T>(options: ConfigurationOptions<T>): Promise<Configuration<T>> {
    return new Configuration(options, await loadConfiguration(options));
  }

  /** As it was last read; frozen. Ask each time where a reload should have an effect. */
  get value(): T {
    return this.#value;
  }

  /** Calls `listener` after each reload that changed something. Returns how to end that. */
  onChange(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reads all sources again; the host does so on SIGHUP, before the other reload hooks.
   *
   * @throws ConfigurationError if they are wrong now; the previous configuration stays in use.
   *   AggregateError of the errors of listeners, after all of them were called.
   */
  async reload(): Promise<void> {
    const before = this.#value;
    const value = await loadConfiguration(this.#options);
    if (isDeepStrictEqual(value, before)) return;
    this.#value = value;
    const errors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        await listener(value, before);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, 'hostx: configuration: listeners failed');
    }
  }
}
