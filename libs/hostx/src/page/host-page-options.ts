import { type Clock, type Duration, Mistakes, systemClock } from '@apix/contracts';
import { mistakenIn } from '../errors.js';

/** The content of the page, and how much history is kept. */
export interface HostPageOptions {
  /** Heading of the page. Default: 'Host'. */
  readonly title?: string;
  /** How often a sample of memory and loop delay is taken and sent to the page. Default: '1s'. */
  readonly interval?: Duration;
  /** How far back the plots reach. Default: '5m'. */
  readonly history?: Duration;
  /** How many of the host's last events are kept. Default: 200. */
  readonly events?: number;
  /** How often health checks run while the page is open. Default: '5s'. */
  readonly checkInterval?: Duration;
  /** How many viewers may be connected at the same time; others get 503. Default: 20. */
  readonly viewers?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** {@link HostPageOptions} with every default filled in and durations in milliseconds. */
export interface ResolvedHostPage {
  readonly title: string;
  readonly intervalMs: number;
  /** How many samples reach back that far. */
  readonly samples: number;
  readonly events: number;
  readonly checkIntervalMs: number;
  readonly viewers: number;
  readonly clock: Clock;
}

/** Below it the page would cost more than it shows. */
const LEAST_INTERVAL_MS = 100;
/** More points than a plot has pixels, and than one message should carry. */
const MOST_SAMPLES = 3_600;
const MOST_EVENTS = 10_000;

/** @throws HostError that lists every mistake. */
export function resolveHostPage(options: HostPageOptions): ResolvedHostPage {
  const { title = 'Host', interval = '1s', history = '5m', checkInterval = '5s' } = options;
  const { events = 200, viewers = 20, clock = systemClock } = options;
  const mistakes = new Mistakes();
  const intervalMs = mistakes.duration('interval', interval, { min: LEAST_INTERVAL_MS });
  const historyMs = mistakes.duration('history', history, { min: intervalMs });
  const samples = Math.ceil(historyMs / Math.max(intervalMs, LEAST_INTERVAL_MS));
  if (samples > MOST_SAMPLES) {
    mistakes.add(
      'history',
      `must be at most ${MOST_SAMPLES} times the interval, not ${samples} times; use a longer interval`,
    );
  }
  const resolved: ResolvedHostPage = {
    title: mistakes.text('title', title),
    intervalMs,
    samples,
    events: mistakes.count('events', events, { min: 1, max: MOST_EVENTS }),
    checkIntervalMs: mistakes.duration('checkInterval', checkInterval, { min: LEAST_INTERVAL_MS }),
    viewers: mistakes.count('viewers', viewers, { min: 1, max: MOST_EVENTS }),
    clock,
  };
  mistakes.throwIfAny(mistakenIn('page'));
  return resolved;
}
