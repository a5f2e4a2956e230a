import { systemClock } from '@apix/contracts';
import { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import type { EventLogger } from '../logger/event-logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { customSink } from '../sinks/custom-sink.js';
import type { Format } from '../sinks/sink.js';
import type { KnownFields } from './known-fields.js';

export interface LineCase {
  readonly format?: Format;
  readonly options?: LoggerOptions;
  /** Of the request's logger. */
  readonly scope?: Readonly<Record<string, unknown>>;
}

/** The line of an event with known fields, and that of the same one of which nothing is known. */
export function linesOf(
  known: KnownFields,
  args: readonly unknown[],
  { format = 'json', options, scope }: LineCase,
): string[] {
  const written: string[] = [];
  const logger = createLogger({
    clock: { ...systemClock, now: () => 1e12 },
    ...options,
    sinks: [customSink({ write: (line) => void written.push(line) }, { format })],
  }).forContextValues(scope ?? { RequestId: 'id-1' }) as EventLogger;
  const { kind, template } = known.shape;
  const level = Level.Information;
  const others = undefined;
  logger.writeOwn({ level, known, args: [...args], others, error: undefined, withStack: false });
  logger.write({ level, kind, template: template.text, args, fields: known.after(others) });
  return written;
}
