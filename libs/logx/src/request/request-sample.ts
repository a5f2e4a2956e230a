import { type Duration, parseDuration, shownValue } from '@apix/contracts';
import {
  isRecord,
  option,
  type Option,
  type OptionTable,
  parsedOption,
  readOptions,
} from '@apix/contracts/internal';

/** Which events of successful requests are written. */
export interface RequestSample {
  /** One of this many is written; 1: all of them. Default: 1. */
  readonly every?: number | undefined;
  /** The same by route: the route's pattern, the handler as `Class.method`, or the full name of the RPC. Default: none. */
  readonly routes?: Readonly<Record<string, number>> | undefined;
  /**
   * Requests that take longer are always written, except streams, and keep their level. Default: the value
   * of `slow`.
   */
  readonly slow?: Duration | undefined;
}

/** The same, read. */
export interface SampleSettings {
  readonly every: number;
  readonly routes: ReadonlyMap<string, number>;
  readonly slowMs: number;
}

/** One of this many is written. */
export const SAMPLE_COUNT: Option<number> = option(
  'an integer of at least 1',
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  { type: 'integer', minimum: 1 },
);

const ROUTES: Option<ReadonlyMap<string, number>> = {
  schema: undefined,
  read(value, at, mistakes) {
    if (!isRecord(value)) {
      mistakes.add(at, `must be an object of routes, not ${shownValue(value)}`);
      return undefined;
    }
    const routes = new Map<string, number>();
    for (const [route, count] of Object.entries(value)) {
      const read = SAMPLE_COUNT.read(count, `${at}[${shownValue(route)}]`, mistakes);
      if (read !== undefined) routes.set(route, read);
    }
    return routes;
  },
};

const REQUEST_SAMPLE = {
  every: SAMPLE_COUNT,
  routes: ROUTES,
  slow: parsedOption((value) => parseDuration(value as Duration)),
} satisfies OptionTable<RequestSample>;

/** For an entry point without this option. */
export const NO_SAMPLE: SampleSettings = { every: 1, routes: new Map(), slowMs: Infinity };

/** The option `sample` of an entry point: a number, or an object with more. */
export const SAMPLE: Option<SampleSettings> = {
  schema: undefined,
  read(value, at, mistakes) {
    if (typeof value === 'number') {
      return { ...NO_SAMPLE, every: SAMPLE_COUNT.read(value, at, mistakes) ?? 1 };
    }
    const read = readOptions(REQUEST_SAMPLE, value, at, mistakes);
    const { every = 1, routes = NO_SAMPLE.routes, slow = Infinity } = read;
    return { every, routes, slowMs: slow };
  },
};
