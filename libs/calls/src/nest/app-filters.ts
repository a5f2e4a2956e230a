import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { isObservable } from 'rxjs';

/** Where `@Catch` stores its classes; empty: the filter catches everything. */
const CAUGHT = '__filterCatchExceptions__';

type Caught = readonly (abstract new (...args: never[]) => unknown)[];

/** A filter that catches an error. */
export interface Choice {
  answer(host: ArgumentsHost): unknown;
  /** Whether it names the class of the thrown value. */
  readonly named: boolean;
}

/** Answers an error that one of the given filters may want to answer. */
export type FirstAsked = (error: unknown, host: ArgumentsHost, own: AppFilters) => unknown;

/**
 * Puts `first` before all global filters of the app, so that it sees every failure. It gets those filters,
 * to pass the failure on to the one that Nest would have called.
 */
export function askFirst(config: ApplicationConfig, first: FirstAsked): void {
  const get = config.getGlobalFilters.bind(config);
  // Nest reads them when it creates a route, and the route keeps them: filters that an app adds later do
  // not affect it. Nest tries the last one first.
  config.getGlobalFilters = () => {
    const filters = get();
    const own = new AppFilters(filters);
    return [...filters, { catch: (error, host) => first(error, host, own) }];
  };
}

/** The filters that the app has for all its handlers, by `APP_FILTER` or `useGlobalFilters`. */
export class AppFilters {
  constructor(private readonly filters: readonly ExceptionFilter[]) {}

  /**
   * The app's own filter for an error; undefined if no filter catches it.
   *
   * @param shown The error passed to a filter that does not name the class of the error.
   */
  choose(exception: unknown, shown = exception): Choice | undefined {
    for (const filter of this.filters.filter(hasCatch).toReversed()) {
      const caught = caughtBy(filter);
      if (isOneOf(exception, caught)) {
        return chosen(filter, exception, true);
      }
      if (caught.length === 0 || isOneOf(shown, caught)) {
        return chosen(filter, shown, false);
      }
    }
    return undefined;
  }

  /**
   * The result of the app's filter for an error in a call or message. Undefined if no filter catches it, or
   * if the one that does was written for HTTP: it then throws or returns nothing.
   *
   * @param isStatus Whether it is a StatusError, which is not passed to a filter that does not name it.
   */
  answerMessage(exception: unknown, isStatus: boolean, host: ArgumentsHost): unknown {
    const own = this.choose(exception);
    if (own === undefined || (isStatus && !own.named)) return undefined;
    try {
      const said: unknown = own.answer(host);
      return isObservable(said) || said instanceof Promise ? said : undefined;
    } catch {
      return undefined;
    }
  }
}

function chosen(filter: ExceptionFilter, error: unknown, named: boolean): Choice {
  const answer = filter.catch.bind(filter, error);
  return { answer, named };
}

function hasCatch(filter: ExceptionFilter | null | undefined): boolean {
  return typeof filter?.catch === 'function';
}

/** Nest looks at the prototype too, since its `constructor` may be that of another class. */
function caughtBy(filter: ExceptionFilter): Caught {
  const prototype: unknown = Object.getPrototypeOf(filter);
  const found: unknown =
    (typeof prototype === 'object' && prototype !== null
      ? Reflect.getMetadata(CAUGHT, prototype)
      : undefined) ?? Reflect.getMetadata(CAUGHT, filter.constructor);
  return (found as Caught | undefined) ?? [];
}

function isOneOf(exception: unknown, caught: Caught): boolean {
  try {
    return caught.some((type) => exception instanceof type);
  } catch {
    // A proxy that cannot be read is an instance of nothing.
    return false;
  }
}
