import type { LogSource, TimedLogLevel } from '@apix/contracts';
import type { LevelView, TraceRow } from '../section-views.js';
import { type LogTail, MOST_RECORDS } from './log-tail.js';
import type { PageSection } from './section.js';
import { loggedTraces } from './trace-events.js';

/** What the page knows of the app's log. */
export interface PageLog {
  readonly tail: LogTail;
  /** Of the levels that were changed for a while. */
  readonly sources: readonly LogSource[];
  /** Whether some viewers may change levels. */
  readonly changeable: boolean;
  /** Those that are kept now. */
  readonly traces: () => readonly TraceRow[];
}

/** The last events of the app's log, live while somebody looks. */
export function logsSection({ tail, sources, changeable, traces }: PageLog): PageSection<'logs'> {
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
        levels: sources.flatMap((source) => source.changedLevels?.() ?? []).map(levelView),
        changeable,
      };
    },
    watch: () => tail.watch(),
  };
}

function levelView({ logger, level, until }: TimedLogLevel): LevelView {
  return { logger, level, until: until === Infinity ? null : until };
}
