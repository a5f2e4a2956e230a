import { type Clock, type Duration, parseDuration, systemClock, thrownText } from '@apix/contracts';
import { HostError } from '../errors.js';

/** What the page shows, and how much of it is kept. */
export interface HostPageOptions {
  /** Heading of the page. Default: 'Host'. */
  readonly title?: string;
  /** How often a sample of memory and loop delay is taken, and the page told. Default: '1s'. */
  readonly interval?: Duration;
  /** How far back the plots reach. Default: '5m'. */
  readonly history?: Duration;
  /** How many of the host's last events are kept. Default: 200. */
  readonly events?: number;
  /** How often health checks run, while somebody looks. Default: '5s'. */
  readonly checkInterval?: Duration;
  /** How many may look at the same time; the others are told 503. Default: 20. */
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
  const mistakes: string[] = [];
  const ms = (name: string, value: Duration, least: number): number => {
    try {
      const parsed = parseDuration(value);
      if (parsed < least) mistakes.push(`${name}: ${parsed} ms is below ${least} ms`);
      return parsed;
    } catch (error) {
      mistakes.push(`${name}: ${thrownText(error).replace(/^apix: /, '')}`);
      return least;
    }
  };
  const count = (name: string, value: number, most: number): number => {
    const isCount = Number.isInteger(value) && value > 0 && value <= most;
    if (!isCount) mistakes.push(`${name}: ${value} is no whole number from 1 to ${most}`);
    return value;
  };
  const intervalMs = ms('interval', options.interval ?? '1s', LEAST_INTERVAL_MS);
  const historyMs = ms('history', options.history ?? '5m', intervalMs);
  const samples = Math.ceil(historyMs / intervalMs);
  if (samples > MOST_SAMPLES) {
    mistakes.push(
      `history: ${samples} samples are more than ${MOST_SAMPLES}: choose a longer interval`,
    );
  }
  const resolved: ResolvedHostPage = {
    title: options.title ?? 'Host',
    intervalMs,
    samples,
    events: count('events', options.events ?? 200, MOST_EVENTS),
    checkIntervalMs: ms('checkInterval', options.checkInterval ?? '5s', LEAST_INTERVAL_MS),
    viewers: count('viewers', options.viewers ?? 20, MOST_EVENTS),
    clock: options.clock ?? systemClock,
  };
  if (mistakes.length > 0) throw new HostError(`hostx: page: ${mistakes.join('; ')}`);
  return resolved;
}
