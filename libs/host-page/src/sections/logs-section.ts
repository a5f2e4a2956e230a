import type { Clock, LogSource } from '@apix/contracts';
import { LogTail, MOST_RECORDS } from './log-tail.js';
import type { PageSection } from './section.js';

/** The log of the app, and what ends the work for it. */
export interface LogsSection extends PageSection<'logs'> {
  stop(): void;
}

/** The last events of the app's log, live while somebody looks. */
export function logsSection(sources: readonly LogSource[], clock: Clock): LogsSection {
  const tail = new LogTail(sources, clock);
  let told = 0;
  tail.follow(false);
  return {
    id: 'logs',
    isPresent: () => sources.length > 0,
    view(full) {
      const records = tail.since(full ? 0 : told);
      told = tail.lastId;
      return { records, leftOut: tail.leftOut, keeps: MOST_RECORDS };
    },
    watch() {
      tail.follow(true);
      return () => tail.follow(false);
    },
    stop: () => tail.stop(),
  };
}
