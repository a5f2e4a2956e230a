import type { OptionTable } from '@apix/contracts/internal';
import type { SinkSpec } from '../sinks/sink.js';
import { readSinkOptions, SINK_OPTIONS, type SinkOptions, specOf } from '../sinks/sink-options.js';
import { type LoggedEvent, LoggedEvents } from './logged-events.js';

/** A sink that keeps the logged events, for tests; pass it to a logger directly. */
export interface CollectingSink extends LoggedEvents, SinkSpec {
  /** The lines as they were encoded, without their line breaks. */
  readonly lines: readonly string[];
  /** Removes the events logged so far. */
  clear(): void;
}

type CollectingSinkOptions = Pick<SinkOptions, 'minLevel' | 'maxLevel' | 'timeFormat'>;

const COLLECTING_SINK_OPTIONS = {
  minLevel: SINK_OPTIONS.minLevel,
  maxLevel: SINK_OPTIONS.maxLevel,
  timeFormat: SINK_OPTIONS.timeFormat,
} satisfies OptionTable<CollectingSinkOptions>;

/**
 * A sink for tests, with queries about the logged events:
 *
 * ```ts
 * const logged = collectingSink();
 * const log = createLogger({ sinks: [logged] });
 * log.information('Hello {Name}', 'Ada');
 * logged.at('information').with({ Name: 'Ada' }).only().message; // 'Hello Ada'
 * ```
 */
export function collectingSink(options: CollectingSinkOptions = {}): CollectingSink {
  const events: LoggedEvent[] = [];
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line.slice(0, -1));
    events.push(JSON.parse(line) as LoggedEvent);
  };
  const clear = (): void => {
    events.length = 0;
    lines.length = 0;
  };
  const read = readSinkOptions('collecting', COLLECTING_SINK_OPTIONS, options);
  const spec = specOf('collecting', read, () => ({ write }));
  return Object.assign(new LoggedEvents(events), spec, { lines, clear });
}
