import type { TraceRow } from '../page-view.js';
import { type LogTail, MOST_RECORDS } from './log-tail.js';
import type { PageSection } from './section.js';
import { loggedTraces } from './trace-events.js';

/**
 * The last events of the app's log, live while somebody looks.
 *
 * @param traces those that are kept now.
 */
export function logsSection(tail: LogTail, traces: () => readonly TraceRow[]): PageSection<'logs'> {
  let told = 0;
  return {
    id: 'logs',
    isPresent: () => tail.isPresent,
    view(full) {
      const records = tail.since(full ? 0 : told);
      told = tail.lastId;
      return {
        records,
        leftOut: tail.leftOut,
        keeps: MOST_RECORDS,
        traces: loggedTraces(traces(), tail.since(0)),
      };
    },
    watch: () => tail.watch(),
  };
}
