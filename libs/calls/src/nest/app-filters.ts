import type { ExceptionFilter } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/** Where `@Catch` leaves its classes; none: the filter catches everything. */
const CAUGHT = '__filterCatchExceptions__';

type Caught = readonly (abstract new (...args: never[]) => unknown)[];

/** A filter, and what it is to get. */
export interface Choice {
  readonly filter: ExceptionFilter;
  readonly error: unknown;
  /** Whether it names the class of what was thrown. */
  readonly named: boolean;
}

/**
 * The filters that the app has for all its handlers, by `APP_FILTER` or `useGlobalFilters`. One of
 * ours is asked before them, so that it sees every failure, and hands it to the one of the app
 * that Nest would have asked without it.
 */
export class AppFilters {
  readonly #own: () => readonly ExceptionFilter[];

  /** Nest asks for the filters while it makes its routes, and takes the last one that catches. */
  constructor(config: ApplicationConfig, first: ExceptionFilter) {
    const own = config.getGlobalFilters.bind(config);
    config.getGlobalFilters = () => [...own(), first];
    this.#own = own;
  }

  /**
   * The app's own filter for an error; undefined: none catches it.
   *
   * @param shown What a filter gets that does not name the error's own class.
   */
  choose(exception: unknown, shown = exception): Choice | undefined {
    for (const filter of this.#own().toReversed()) {
      const caught = caughtBy(filter);
      if (isOneOf(exception, caught)) {
        return { filter, error: exception, named: true };
      }
      if (caught.length === 0 || isOneOf(shown, caught)) {
        return { filter, error: shown, named: false };
      }
    }
    return undefined;
  }
}

function caughtBy(filter: ExceptionFilter): Caught {
  return (Reflect.getMetadata(CAUGHT, filter.constructor) as Caught | undefined) ?? [];
}

function isOneOf(exception: unknown, caught: Caught): boolean {
  try {
    return caught.some((type) => exception instanceof type);
  } catch {
    // A proxy that cannot be read is an instance of nothing.
    return false;
  }
}
