import type { Clock } from '@apix/contracts';
import { type WindowsServiceStatus, type StateName, serviceStatus } from './service-control.js';

/** How often a pending state reports progress, in milliseconds. */
const PROGRESS_EVERY = 1_000;
/** Loading an app may block the event loop for that long without a report, in milliseconds. */
const START_WAIT_HINT = 60_000;

/** Tells the service control manager where the service is, and that it gets on. */
export class StatusReporter {
  #state: StateName = 'START_PENDING';
  #checkpoint = 0;
  #waitHint = START_WAIT_HINT;
  #cancel: () => void = () => {};
  #until = Infinity;

  constructor(
    private readonly set: (status: WindowsServiceStatus) => void,
    private readonly clock: Clock,
  ) {}

  /** @param limitMs for how long the start reports progress; after that it counts as hung. */
  starting(limitMs = Infinity): void {
    this.#until = this.clock.now() + limitMs;
    this.#pending('START_PENDING', START_WAIT_HINT);
  }

  running(): void {
    this.#settled('RUNNING', 0);
  }

  /** @param waitHint how long the stop may take without a report, in milliseconds. */
  stopping(waitHint: number): void {
    this.#until = Infinity;
    this.#pending('STOP_PENDING', waitHint);
  }

  /** @param exitCode 0 for a clean end. */
  stopped(exitCode: number): void {
    this.#settled('STOPPED', exitCode);
  }

  #settled(state: StateName, exitCode: number): void {
    this.#cancel();
    this.#state = state;
    this.set(serviceStatus({ state, exitCode }));
  }

  #pending(state: StateName, waitHint: number): void {
    if (this.#state !== state) this.#checkpoint = 0;
    this.#state = state;
    this.#waitHint = waitHint;
    this.#progress();
  }

  #progress(): void {
    this.#cancel();
    const report = { state: this.#state, waitHint: this.#waitHint };
    this.set(serviceStatus({ ...report, checkpoint: ++this.#checkpoint }));
    this.#cancel = this.clock.after(PROGRESS_EVERY, () => {
      if (this.clock.now() < this.#until) this.#progress();
    });
  }
}
