import { formatDuration, type LogRecordLevel, type LogSource } from '@apix/contracts';
import { LOG_LEVELS } from '../log-levels.js';
import type { PageAction } from './page-action.js';

const DEFAULT_MINUTES = 15;
/** A day. */
const MOST_MINUTES = 1_440;
/** Longer names are of no logger, and would be kept. */
const MOST_NAME = 200;

/**
 * Changes the minimum level of a logger for a while: `?logger=<name>&level=<level>&minutes=<minutes>`. Without a
 * logger it is that of all, without a level what applied before comes back now, and without minutes it is a quarter
 * of an hour.
 */
export function changeLevel(sources: readonly LogSource[]): PageAction {
  const changeable = sources.filter((source) => source.changeLevel !== undefined);
  return {
    plan(query) {
      const logger = query.get('logger') || null;
      const level = levelOf(query.get('level') ?? '');
      const minutes = Number(query.get('minutes') ?? DEFAULT_MINUTES);
      if (changeable.length === 0 || level === undefined || !isTime(minutes)) return undefined;
      if (logger !== null && logger.length > MOST_NAME) return undefined;
      const forMs = minutes * 60_000;
      const end = level === null ? 'as before' : `${level} for ${formatDuration(forMs)}`;
      return {
        subject: logger ?? 'all loggers',
        text: `minimum level ${end}`,
        run: async () => {
          for (const source of changeable) source.changeLevel!(logger, level, forMs);
        },
      };
    },
  };
}

/** Null for none; undefined for what is not one. */
function levelOf(text: string): LogRecordLevel | null | undefined {
  return text === '' ? null : LOG_LEVELS.find((level) => level === text);
}

function isTime(minutes: number): boolean {
  return Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES;
}
