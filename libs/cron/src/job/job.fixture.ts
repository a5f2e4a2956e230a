import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import type { HostedJob } from './hosted-job.js';
import type { AtOptions, JobOptions, JobWork, Tick } from './job-options.js';
import { at, every } from './make-job.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Thursday. */
export const START = Date.parse('2026-01-01T00:00:00Z');

/** A started job with a clock in the test's hands. */
export interface Rig {
  readonly clock: FakeClock;
  readonly job: HostedJob;
  /** When runs began, in milliseconds since the start of the clock. */
  readonly runs: number[];
  readonly ticks: Tick[];
  readonly errors: unknown[];
  /** How the service ended; null while it continues. */
  readonly ending: () => unknown;
  readonly stop: () => Promise<void>;
}

export interface RigOptions extends AtOptions {
  readonly work?: JobWork;
  /** When the clock begins. */
  readonly start?: number;
}

export type Make = (work: JobWork, options: JobOptions) => HostedJob;

/** Makes a job and starts it. */
export async function rig(
  make: Make,
  { work, start = START, ...options }: RigOptions = {},
): Promise<Rig> {
  const clock = fakeClock(start);
  const runs: number[] = [];
  const ticks: Tick[] = [];
  const errors: unknown[] = [];
  const job = make(
    (signal, tick) => {
      runs.push(clock.now() - start);
      ticks.push(tick);
      return work?.(signal, tick);
    },
    { clock, errorHandler: (error) => errors.push(error), ...options },
  );
  const stopping = new AbortController();
  let ending: unknown = null;
  const started = job.start(stopping.signal).then(
    () => (ending = 'stopped'),
    (error: unknown) => (ending = error),
  );
  await clock.advance(0);
  return {
    clock,
    job,
    runs,
    ticks,
    errors,
    ending: () => ending,
    async stop() {
      stopping.abort(new Error('the host stops'));
      await started;
    },
  };
}

export const everyMinute: Make = (work, options) => every('sweep', '1m', work, options);
/** In UTC, whatever the zone of the machine is, which is the default and may be off by half an hour. */
export const hourly: Make = (work, options) =>
  at('report', '@hourly', work, { ...options, timeZone: 'UTC' });

/** Work that a test ends. */
export function held(): {
  readonly work: JobWork;
  readonly signals: AbortSignal[];
  readonly end: () => void;
} {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  return {
    signals,
    work: (signal) => {
      signals.push(signal);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    end: () => ends.shift()!(),
  };
}
