import type { Clock, HealthSource } from '@apix/contracts';
import { runChecks } from './run-checks.js';

/** How long a check may take. */
const TIMEOUT_MS = 3_000;

/** How long an outcome is kept, so that callers, who need no credentials, cannot wear out a database. */
const KEEP_MS = 1_000;

export interface ServingStateOptions {
  /** Asked again each time. */
  readonly sources: () => readonly HealthSource[];
  /** How often the checks run while somebody watches. */
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Called with the failures when they begin, and with none when they are over. */
  readonly onChange: (failures: readonly string[]) => void;
}

/** Whether the server should get traffic: while it is open and every check passes. */
export class ServingState {
  readonly #watchers = new Set<(isServing: boolean) => void>();
  #isOpen = false;
  #isWell = true;
  #last: { readonly at: number; readonly isWell: boolean } | undefined;
  #run: Promise<boolean> | undefined;
  #stopPolling: (() => void) | undefined;

  constructor(private readonly options: ServingStateOptions) {}

  /** The app is up: from now on the checks decide. */
  open(): void {
    this.#isOpen = true;
    this.#last = undefined;
    if (this.#watchers.size > 0) void this.#look();
  }

  /** The app starts or stops: not serving, whatever the checks say. */
  close(): void {
    this.#isOpen = false;
    this.#notify(false);
  }

  /** Never rejects. Callers at the same time share a run of the checks. */
  async isServing(): Promise<boolean> {
    if (!this.#isOpen) return false;
    const isWell = this.#recent ?? (await (this.#run ??= this.#runChecks()));
    return isWell && this.#isOpen;
  }

  /** Tells `listener` the state now and whenever it was looked at. Returns how to end it. */
  watch(listener: (isServing: boolean) => void): () => void {
    this.#watchers.add(listener);
    void this.#greet(listener);
    this.#stopPolling ??= this.#poll();
    return () => {
      this.#watchers.delete(listener);
      if (this.#watchers.size > 0) return;
      this.#stopPolling?.();
      this.#stopPolling = undefined;
    };
  }

  async #greet(listener: (isServing: boolean) => void): Promise<void> {
    const isServing = await this.isServing();
    if (this.#watchers.has(listener)) listener(isServing);
  }

  get #recent(): boolean | undefined {
    const last = this.#last;
    const age = last === undefined ? Infinity : this.options.clock.now() - last.at;
    return age >= 0 && age < KEEP_MS ? last?.isWell : undefined;
  }

  #poll(): () => void {
    return this.options.clock.after(this.options.intervalMs, () => {
      this.#stopPolling = this.#poll();
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#notify(await this.isServing());
  }

  #notify(isServing: boolean): void {
    for (const watcher of this.#watchers) watcher(isServing);
  }

  async #runChecks(): Promise<boolean> {
    const { sources, clock, onChange } = this.options;
    const failures = await runChecks(sources(), TIMEOUT_MS, clock);
    const isWell = failures.length === 0;
    this.#run = undefined;
    this.#last = { at: clock.now(), isWell };
    if (this.#isOpen && isWell !== this.#isWell) {
      this.#isWell = isWell;
      onChange(failures);
    }
    return isWell;
  }
}
