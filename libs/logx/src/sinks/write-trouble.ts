import { type Clock, systemClock, thrownText } from '@apix/contracts';
import { errorCode } from './error-code.js';
import { idleClock } from './idle-clock.js';

/** The outlet accepts no bytes at the moment, but there is no fault. */
const SLOW_CODES: ReadonlySet<string> = new Set(['EAGAIN', 'EWOULDBLOCK', 'EINTR']);
const SLOW_RETRY = { firstMs: 1, lastMs: 50 };
const FAULT_RETRY = { firstMs: 100, lastMs: 5_000 };
/** A slow outlet is reported when it has accepted no bytes for this long. */
const SLOW_REPORT_MS = 1_000;
/** The same failure is reported at most once in this time. */
const REPEAT_REPORT_MS = 5_000;

/**
 * Handles an outlet that does not accept bytes: tries again, each time after twice the delay up to a limit, and
 * reports it to the error handler, the same failure at most once in five seconds.
 *
 * Retries of a slow outlet keep the process alive, so that its reader gets everything; those of a broken
 * one do not.
 */
export class WriteTrouble {
  /** Undefined while the outlet accepts bytes. */
  kind: 'slow' | 'fault' | undefined;
  #delayMs = 0;
  #slowSince = 0;
  #reported: { readonly code: string; readonly at: number } | undefined;
  #cancel: (() => void) | undefined;
  #cause: unknown;
  #isFinal = false;

  constructor(
    private readonly name: string,
    private readonly onError: (error: Error) => void,
    private readonly clock: Clock | undefined,
    private readonly retry: () => void,
  ) {}

  /** Whether the failure is permanent, so that waiting for the outlet is useless. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** Why bytes were not accepted; undefined when they are. */
  get cause(): unknown {
    return this.#cause;
  }

  /**
   * Records a failed write and plans the next try.
   *
   * @param isFinal no later write is expected to succeed; it is still tried, because another reader may
   *   open a named pipe.
   */
  failed(error: unknown, isFinal: boolean): void {
    this.#cause = error;
    this.#isFinal = isFinal;
    const code = errorCode(error);
    const kind = SLOW_CODES.has(code) ? 'slow' : 'fault';
    const pace = kind === 'slow' ? SLOW_RETRY : FAULT_RETRY;
    if (kind !== this.kind) {
      this.kind = kind;
      this.#delayMs = pace.firstMs;
      this.#slowSince = this.#now();
    }
    if (kind === 'fault' || this.#now() - this.#slowSince >= SLOW_REPORT_MS) {
      this.#report(code, error);
    }
    this.#cancel?.();
    const clock = this.clock ?? (kind === 'slow' ? systemClock : idleClock);
    this.#cancel = clock.after(this.#delayMs, this.retry);
    this.#delayMs = Math.min(this.#delayMs * 2, pace.lastMs);
  }

  /** The outlet has accepted bytes. */
  progress(): void {
    if (this.kind === undefined) return;
    this.#slowSince = this.#now();
    this.#delayMs = (this.kind === 'slow' ? SLOW_RETRY : FAULT_RETRY).firstMs;
  }

  /** No lines wait any more. */
  end(): void {
    if (this.kind === undefined) return;
    this.kind = undefined;
    this.#cause = undefined;
    this.#isFinal = false;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #now(): number {
    return (this.clock ?? systemClock).now();
  }

  #report(code: string, error: unknown): void {
    const at = this.#now();
    if (this.#reported?.code === code && at - this.#reported.at < REPEAT_REPORT_MS) return;
    this.#reported = { code, at };
    this.onError(
      new Error(`logx: cannot write to ${this.name}: ${thrownText(error)}; lines wait in memory`, {
        cause: error,
      }),
    );
  }
}
