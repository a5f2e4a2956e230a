import {
  type Clock,
  type Duration,
  OptionsError,
  formatDuration,
  shownValue,
  systemClock,
} from '@apix/contracts';
import {
  checkedOptions,
  CLOCK,
  duration,
  DURATION,
  type OptionTable,
  type ReadOptions,
  TEXT,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { MOMENTS } from './route-history.js';

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

/** Below it the page would cost more than it shows. */
const LEAST_INTERVAL_MS = 100;
/** More points than a plot has pixels, and than one message should carry. */
const MOST_SAMPLES = 3_600;
const MOST_EVENTS = 10_000;

const INTERVAL = duration({ min: LEAST_INTERVAL_MS });

const HOST_PAGE = {
  title: withDefault(TEXT, 'Host'),
  interval: withDefault(INTERVAL, 1_000),
  history: withDefault(DURATION, 300_000),
  events: withDefault(wholeNumber({ min: 1, max: MOST_EVENTS }), 200),
  checkInterval: withDefault(INTERVAL, 5_000),
  viewers: withDefault(wholeNumber({ min: 1, max: MOST_EVENTS }), 20),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<HostPageOptions>;

/** {@link HostPageOptions} with every default filled in and durations in milliseconds. */
export interface ResolvedHostPage extends ReadOptions<typeof HOST_PAGE> {
  /** How many samples reach back that far. */
  readonly samples: number;
  /** The time between two points of a plot of a route, which has fewer. */
  readonly momentMs: number;
}

/** All mistakes in the options as one error. */
export function mistakesInPage(found: readonly string[]): OptionsError {
  return new OptionsError('host-page', found);
}

/** @throws OptionsError that lists every mistake. */
export function resolveHostPage(options: HostPageOptions): ResolvedHostPage {
  const samplesOf = ({ history, interval }: ReadOptions<typeof HOST_PAGE>): number =>
    Math.ceil(history / interval);
  const read = checkedOptions(HOST_PAGE, options, mistakesInPage, (given, mistakes) => {
    if (given.history < given.interval) {
      const shown = shownValue(options.history ?? '5m');
      mistakes.add('history', `must be at least ${formatDuration(given.interval)}, not ${shown}`);
    }
    const samples = samplesOf(given);
    if (samples <= MOST_SAMPLES) return;
    mistakes.add(
      'history',
      `must be at most ${MOST_SAMPLES} times the interval, not ${samples} times; use a longer interval`,
    );
  });
  const momentMs = Math.max(read.interval, Math.ceil(read.history / MOMENTS));
  return { ...read, samples: samplesOf(read), momentMs };
}
