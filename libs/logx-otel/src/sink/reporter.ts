import { DropCounter, idleClock } from '@apix/logx/core';

/** How much of a line that could not be translated is shown. */
const SHOWN = 100;

/** Tells whoever listens what is lost and why. Never throws. */
export class Reporter {
  readonly #drops: DropCounter;

  constructor(public onError: ((error: Error) => void) | undefined) {
    this.#drops = new DropCounter('otlp', (error) => this.#tell(error), idleClock);
  }

  /** Events dropped so far. */
  get drops(): number {
    return this.#drops.total;
  }

  /** Counts events that were dropped; said once per five seconds. */
  dropped(events: number): void {
    this.#drops.add(events);
  }

  /** Says at once what was dropped. */
  sayDrops(): void {
    this.#drops.say();
  }

  untranslatable(line: string, cause: unknown): void {
    const shown = JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
    this.say(`cannot translate ${shown}: it ${(cause as Error).message}`, cause);
  }

  say(message: string, cause?: unknown): void {
    this.#tell(new Error(`logx-otel: ${message}`, { cause }));
  }

  #tell(error: Error): void {
    try {
      this.onError?.(error);
    } catch {
      // A listener that fails must not stop the sink.
    }
  }
}
