import type { Clock, LogSource, TimedLogLevel } from '@apix/contracts';
import type { LevelView } from '../page-view.js';
import { LogTail, MOST_RECORDS } from './log-tail.js';
import type { PageSection } from './section.js';

/** The log of the app, and what ends the work for it. */
export interface LogsSection extends PageSection<'logs'> {
  stop(): void;
}

/**
 * The last events of the app's log, live while somebody looks.
 *
 * @param changeable whether some viewers may change levels.
 */
export function logsSection(
  sources: readonly LogSource[],
  changeable: boolean,
  clock: Clock,
): LogsSection {
  const tail = new LogTail(sources, clock);
  let told = 0;
  tail.follow(false);
  return {
    id: 'logs',
    isPresent: () => sources.length > 0,
    view(full) {
      const records = tail.since(full ? 0 : told);
      told = tail.lastId;
      const levels = sources.flatMap((source) => source.changedLevels?.() ?? []).map(levelView);
      return { records, leftOut: tail.leftOut, keeps: MOST_RECORDS, levels, changeable };
    },
    watch() {
      tail.follow(true);
      return () => tail.follow(false);
    },
    stop: () => tail.stop(),
  };
}

function levelView({ logger, level, until }: TimedLogLevel): LevelView {
  return { logger, level, until: until === Infinity ? null : until };
}
