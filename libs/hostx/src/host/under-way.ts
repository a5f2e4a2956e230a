import type { Clock } from '@apix/contracts';
import type { HostLogger } from '../log/host-logger.js';
import type { HostServices } from './services.js';

/** When the host first reports what it waits for, in milliseconds; the interval doubles each time. */
const FIRST_MS = 10_000;

/** How many of the things that a host waits for are named. */
const MOST_NAMED = 10;

/** What a host waits for. */
export class UnderWay {
  readonly #steps = new Set<string>();
  readonly #services: HostServices;
  readonly #clock: Clock;
  readonly #logger: HostLogger;

  constructor(
    services: HostServices,
    { clock, logger }: { readonly clock: Clock; readonly logger: HostLogger },
  ) {
    this.#services = services;
    this.#clock = clock;
    this.#logger = logger;
  }

  begin(step: string): void {
    this.#steps.add(step);
  }

  end(step: string): void {
    this.#steps.delete(step);
  }

  /** Tasks, hooks and services by name, the first few of them. */
  get text(): string {
    const services = this.#services.unsettled.map((service) => `service ${service}`);
    const names = [...this.#steps, ...services];
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
  }

  /** Logs what the host waits for until the returned function is called. */
  reportWhile(phase: 'starting' | 'stopping'): () => void {
    const begun = this.#clock.now();
    let cancel = (): void => {};
    const arm = (afterMs: number): void => {
      cancel = this.#clock.after(afterMs, () => {
        this.#logger.warning(
          'Host is still {Phase} after {ElapsedMs} ms and waits for {Waiting}',
          phase,
          this.#clock.now() - begun,
          this.text,
        );
        arm(afterMs * 2);
      });
    };
    arm(FIRST_MS);
    return () => cancel();
  }
}
