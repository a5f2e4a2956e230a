import { onAbort } from '@apix/contracts';

/** From the start of a job to its end: until its signal aborts, or it fails. */
export class Session {
  readonly signal: AbortSignal;
  /** Resolves when the signal has aborted, rejects with the failure. */
  readonly over: Promise<void>;
  #fail: (error: unknown) => void = () => {};

  constructor(signal: AbortSignal) {
    this.signal = signal;
    this.over = new Promise((resolve, reject) => {
      this.#fail = reject;
      onAbort(signal, () => resolve());
    });
  }

  fail(error: unknown): void {
    this.#fail(error);
  }
}
