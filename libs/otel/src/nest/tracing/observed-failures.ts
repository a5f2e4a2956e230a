import { statusErrorIn } from '@apix/calls/nest';
import { Catch, type ExceptionFilter } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { entrySpan } from '../../tracing/entry-span.js';

/** On the configuration of an app whose failures are heard. */
const OBSERVED = Symbol.for('apix.otel.ObservedFailures');

/**
 * A class without instances: its `instanceof` check records the tested error on the span of the request
 * under way.
 */
// Why: docs/decisions/0220
class Nothing {
  static [Symbol.hasInstance](error: unknown): boolean {
    entrySpan()?.failed?.(statusErrorOf(error) ?? error);
    return false;
  }
}

@Catch(Nothing)
class HearingFilter implements ExceptionFilter {
  /** Nest never calls it. */
  catch(): void {}
}

const HEARING = new HearingFilter();

/**
 * Records on its span every failure that Nest's exception layer offers to the global filters; answers none.
 * Nest asks the last filter first: this one stays the last, also when the app adds filters later.
 */
export function observeFailures(config: ApplicationConfig & { [OBSERVED]?: true }): void {
  if (config[OBSERVED] !== undefined) return;
  config[OBSERVED] = true;
  const get = config.getGlobalFilters.bind(config);
  config.getGlobalFilters = () => [...get(), HEARING];
}

function statusErrorOf(error: unknown): unknown {
  try {
    return statusErrorIn(error);
  } catch {
    // Of a proxy that cannot be read.
    return undefined;
  }
}
