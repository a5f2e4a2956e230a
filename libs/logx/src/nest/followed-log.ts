import {
  LOG_SOURCE,
  type LogFollower,
  type LogRecord,
  type LogRecordLevel,
  type LogSource,
  type TimedLogLevel,
} from '@apix/contracts';
import type { LogEvent } from '../event/log-event.js';
import { levelName, toLevel } from '../levels/level.js';
import { LevelTree } from '../levels/level-tree.js';
import { ALL_LOGGERS } from '../levels/timed-levels.js';
import { EventLogger } from '../logger/event-logger.js';
import type { Logger } from '../logger/logger.js';

/** Fields that a record has by themselves. */
const LOGGER = 'logger';
/** The field that `named` sets. */
const NAME = 'service';
const REQUEST_ID = 'RequestId';
const TRACE_ID = 'trace_id';

/** The log of the app for the host page. A logger that is not of this package cannot be followed. */
export class FollowedLog implements LogSource {
  readonly [LOG_SOURCE] = true as const;

  constructor(private readonly logger: Logger) {}

  follow(follower: LogFollower): () => void {
    const { root } = this.logger;
    if (!(root instanceof EventLogger)) return () => {};
    const minLevel = toLevel(follower.minLevel);
    return root.follow({
      minLevel,
      buffered: follower.buffered ?? false,
      take: (event, isBuffered) =>
        follower.take(levelName(event.level), () => recordOf(event), isBuffered),
    });
  }

  changeLevel(logger: string | null, level: LogRecordLevel | null, forMs: number): void {
    const { levels } = this.logger;
    if (level === null) levels.reset(logger ?? undefined);
    else levels.set(level, logger ?? undefined, { duration: forMs });
  }

  changedLevels(): readonly TimedLogLevel[] {
    const { levels } = this.logger;
    if (!(levels instanceof LevelTree)) return [];
    return [...levels.timed].map(([name, { level, until }]) => ({
      logger: name === ALL_LOGGERS ? null : name,
      level: levelName(level),
      until,
    }));
  }
}

function recordOf({ level, time, message, error, fields }: LogEvent): LogRecord {
  const rest = new Map<string, unknown>(fields);
  const taken = (name: string): string | null => {
    const value = rest.get(name);
    if (typeof value !== 'string') return null;
    rest.delete(name);
    return value;
  };
  return {
    level: levelName(level),
    time,
    logger: taken(LOGGER) ?? taken(NAME),
    message,
    error: error ?? null,
    requestId: taken(REQUEST_ID),
    traceId: taken(TRACE_ID),
    fields: Object.fromEntries(rest),
  };
}
