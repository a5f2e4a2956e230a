import type { Clock } from '@apix/contracts';
import { timeAfter } from '../schedule/time-after.js';
import { ADJUSTMENT_MS, CORRECTION_MS, atWallTime } from '../schedule/wall-timer.js';
import type { Timing } from './timing.js';

export interface TickerEvents {
  /** A time has come. An interval continues by itself; a schedule waits for the next `arm`. */
  readonly onDue: (due: number) => void;
  /** The schedule threw, or returned anything but a later time. */
  readonly onError: (error: unknown) => void;
}

/** Waits for the times of a job. */
export class Ticker {
  readonly #job: string;
  readonly #timing: Timing;
  readonly #clock: Clock;
  readonly #events: TickerEvents;
  /** By how much the clock may be set back without a time being reported again. */
  readonly #setBackMs: number;
  #cancel: (() => void) | null = null;
  #next: number | null = null;
  /** The latest time of the schedule that was reported. */
  #lastDue: number | null = null;

  constructor(job: string, timing: Timing, clock: Clock, events: TickerEvents) {
    this.#job = job;
    this.#timing = timing;
    this.#clock = clock;
    this.#events = events;
    const isRepeatable = timing.kind === 'at' && timing.schedule.isRepeatable === true;
    this.#setBackMs = isRepeatable ? ADJUSTMENT_MS : CORRECTION_MS;
  }

  /** The time it waits for; null while it does not. */
  get next(): Date | null {
    return this.#next === null ? null : new Date(this.#next);
  }

  /** Waits for the next time, unless it does already. */
  arm(): void {
    if (this.#cancel !== null) return;
    if (this.#timing.kind === 'every') this.#armEvery(this.#timing.intervalMs);
    else this.#armAt();
  }

  disarm(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#next = null;
  }

  /**
   * The next times from now on, whether it waits or not; fewer if there are no more.
   *
   * @throws CronError for a schedule that throws, or that returns anything but a later time.
   */
  nextTimes(count: number): Date[] {
    const times: Date[] = [];
    const now = this.#clock.now();
    let at = this.#next ?? this.#dueAfter(this.#baseAt(now));
    while (at !== null && times.length < count) {
      times.push(new Date(at));
      at = this.#dueAfter(at);
    }
    return times;
  }

  #armEvery(intervalMs: number): void {
    const due = this.#clock.now() + intervalMs;
    this.#next = due;
    this.#cancel = this.#clock.after(intervalMs, () => {
      this.#cancel = null;
      this.arm();
      this.#events.onDue(due);
    });
  }

  #armAt(): void {
    let due: number | null;
    try {
      due = this.#dueAfter(this.#baseAt(this.#clock.now()));
    } catch (error) {
      this.#events.onError(error);
      return;
    }
    this.#next = due;
    if (due === null) return;
    const disarmed = (what: () => void) => (): void => {
      this.#cancel = null;
      this.#next = null;
      what();
    };
    this.#cancel = atWallTime({
      clock: this.#clock,
      due,
      setBackMs: this.#setBackMs,
      onDue: disarmed(() => {
        this.#lastDue = due;
        this.#events.onDue(due);
      }),
      onCorrected: disarmed(() => this.arm()),
    });
  }

  /** From when on to look: the present, or the time that was reported last, if that is later. */
  #baseAt(now: number): number {
    const last = this.#lastDue;
    return last !== null && last > now && last - now <= this.#setBackMs ? last : now;
  }

  #dueAfter(base: number): number | null {
    if (this.#timing.kind === 'every') return base + this.#timing.intervalMs;
    return timeAfter(this.#job, this.#timing.schedule, base);
  }
}
