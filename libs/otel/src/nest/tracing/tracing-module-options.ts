import { Mistakes } from '@apix/contracts';
import { OtelError } from '../../errors.js';
import { type OpenTracingOptions, noteTracingMistakes } from '../../tracing/tracing-options.js';

/** With an `exporter` or `processors` tracing is set up; else it is on the app's own. Nest's logger warns by default. */
export interface TracingModuleOptions extends OpenTracingOptions {}

/**
 * @throws OtelError for options that are wrong or exclude each other.
 */
export function checkTracingOptions(options: TracingModuleOptions): void {
  const mistakes = new Mistakes();
  noteTracingMistakes(options, mistakes);
  mistakes.throwIfAny((found) => new OtelError(found));
}
