import type {
  LogFollower,
  LogRecord,
  LogRecordLevel,
  LogSource,
  RecentTrace,
} from '@apix/contracts';
import { LOG_LEVELS } from '../log-levels.js';
import type { TraceRow } from '../section-views.js';

/** A log of which the test writes the events; `reads` is how many of them were read. */
export class FakeLog implements LogSource {
  readonly followers = new Set<LogFollower>();
  reads = 0;

  follow(follower: LogFollower): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  write(
    level: LogRecordLevel,
    message: string,
    over: Partial<LogRecord> = {},
    isBuffered = false,
  ): void {
    const record = { level, time: 1, logger: null, message, error: null, requestId: null };
    for (const follower of this.followers) {
      const isBelow = LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(follower.minLevel);
      if (isBelow && !(isBuffered && follower.buffered === true)) continue;
      const read = (): LogRecord => {
        this.reads += 1;
        return { ...record, traceId: null, fields: {}, ...over };
      };
      follower.take(level, read, isBuffered);
    }
  }
}

/** A trace of a hundred milliseconds, with the trace id `a1`. */
export function traceRow(over: Partial<TraceRow & RecentTrace> = {}): TraceRow & RecentTrace {
  return {
    id: 'b1',
    traceId: 'a1',
    name: 'GET /orders',
    kind: 'server',
    startedAt: 0,
    durationMs: 100,
    failed: true,
    refused: false,
    error: null,
    spanCount: 1,
    ...over,
  };
}
