import {
  type Clock,
  type LogRecord,
  type LogRecordLevel,
  type LogSource,
  thrownText,
} from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import { History } from '../history.js';
import type { LogRow, Numbered } from '../page-view.js';
import { SecondBudget } from './second-budget.js';

/** How many events are kept, at most. */
export const MOST_RECORDS = 500;
/** Of a message or an error, in UTF-16 units. */
const MOST_TEXT = 2_000;
/** Of the fields of an event as JSON, in UTF-16 units. */
const MOST_FIELDS = 2_000;
/** How many events are read in a second: below warning, and from there up. */
const BUDGET = { quiet: 100, loud: 50 };
/** The same while nobody looks. */
const UNSEEN_BUDGET = { quiet: 0, loud: 10 };

/**
 * The last events of the app's log. While nobody looks, only those from warning up are kept. A flood is not read beyond a
 * budget for each second; what is left out is counted.
 */
// Why: docs/decisions/0554
export class LogTail {
  readonly #history = new History<LogRow>(MOST_RECORDS);
  #budget;
  #leave: readonly (() => void)[] = [];
  #leftOut = 0;

  constructor(
    private readonly sources: readonly LogSource[],
    private readonly clock: Clock,
  ) {
    this.#budget = new SecondBudget(clock, UNSEEN_BUDGET);
  }

  /** How many events were not read since the first. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get lastId(): number {
    return this.#history.lastId;
  }

  since(id: number): readonly Numbered<LogRow>[] {
    return this.#history.since(id);
  }

  /** Follows warnings and errors, or every event. */
  follow(isWatched: boolean): void {
    this.stop();
    this.#budget = new SecondBudget(this.clock, isWatched ? BUDGET : UNSEEN_BUDGET);
    const minLevel = isWatched ? 'trace' : 'warn';
    const take = (level: LogRecordLevel, read: () => LogRecord): void => this.#take(level, read);
    this.#leave = this.sources.map((source) => source.follow({ minLevel, take }));
  }

  stop(): void {
    for (const leave of this.#leave) leave();
    this.#leave = [];
  }

  #take(level: LogRecordLevel, read: () => LogRecord): void {
    if (!this.#budget.take(isLoud(level) ? 'loud' : 'quiet')) {
      this.#leftOut += 1;
      return;
    }
    this.#history.add(rowOf(read()));
  }
}

function isLoud(level: LogRecordLevel): boolean {
  return level === 'warn' || level === 'error' || level === 'fatal';
}

function rowOf(record: LogRecord): LogRow {
  const { level, time, logger, message, error, requestId, traceId, fields } = record;
  return {
    at: time,
    level,
    logger: logger === null ? '' : cutText(logger, MOST_TEXT),
    message: cutText(message, MOST_TEXT),
    error: error === null ? null : cutText(error, MOST_TEXT),
    requestId: requestId === null ? '' : cutText(requestId, MOST_TEXT),
    traceId: traceId ?? '',
    fields: cutText(fieldsText(fields), MOST_FIELDS),
  };
}

/** As JSON; empty without fields. */
function fieldsText(fields: LogRecord['fields']): string {
  if (Object.keys(fields).length === 0) return '';
  try {
    return JSON.stringify(fields);
  } catch (error) {
    return `not readable: ${thrownText(error)}`;
  }
}
