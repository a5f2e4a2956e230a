import {
  type Clock,
  type LogRecord,
  type LogRecordLevel,
  type LogSource,
  thrownText,
} from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import { History } from '../history.js';
import type { LogGap, LogRow, Numbered } from '../section-views.js';
import { KeptEvents } from './kept-events.js';
import { SecondBudget } from './second-budget.js';

/** How many events are kept, at most. */
export const MOST_RECORDS = 500;
/** Of a message or an error, in UTF-16 units. */
const MOST_TEXT = 2_000;
/** Of the fields of an event as JSON, in UTF-16 units. */
const MOST_FIELDS = 2_000;
/** How many events are read in a second: below warning, from there up, and buffered ones, which one failure has 200 of. */
const BUDGET = { quiet: 100, loud: 50, buffered: 200 };
/** The same while nobody looks. */
const UNWATCHED_BUDGET = { quiet: 0, loud: 10, buffered: 200 };

/**
 * The last events of the app's log. While nobody looks, only those from warning up are read, and those that were buffered
 * until their work failed. A flood is not read beyond a budget for each second; what is left out is counted.
 */
// Why: docs/decisions/0554, docs/decisions/0564
export class LogTail {
  readonly #history = new History<LogRow>(MOST_RECORDS);
  readonly #kept: KeptEvents;
  #budget;
  #leave: readonly (() => void)[] = [];
  #watchers = 0;
  /** Infinity while nobody looks. */
  #watchedSince = Infinity;
  #leftOut = 0;
  #leftOutAt = -Infinity;
  /** When the latest event was logged that later ones have replaced. */
  #replacedAt = -Infinity;

  /** @param keptTraces the trace ids of the traces that are kept now. */
  constructor(
    private readonly sources: readonly LogSource[],
    private readonly clock: Clock,
    keptTraces: () => ReadonlySet<string>,
  ) {
    this.#budget = new SecondBudget(clock, UNWATCHED_BUDGET);
    this.#kept = new KeptEvents(keptTraces);
    this.#follow();
  }

  /** Whether the app has a log that can be followed. */
  get isPresent(): boolean {
    return this.sources.length > 0;
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

  /** The last events, and before them those that are kept longer. */
  all(): readonly Numbered<LogRow>[] {
    const last = this.#history.since(0);
    const from = last[0]?.id ?? Infinity;
    return [...this.#kept.all.filter(({ id }) => id < from), ...last];
  }

  /** Why events since a moment may be missing; null if all are here. */
  gapSince(at: number): LogGap | null {
    if (this.#leftOutAt >= at || this.#kept.lostAt >= at) return 'flood';
    if (this.#watchedSince > at) return 'unwatched';
    return this.#replacedAt >= at ? 'replaced' : null;
  }

  /** Reads every event until the last one that looks has left; returns what leaves. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1) {
      this.#watchedSince = this.clock.now();
      this.#follow();
    }
    return () => {
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      this.#watchedSince = Infinity;
      this.#follow();
    };
  }

  stop(): void {
    for (const leave of this.#leave) leave();
    this.#leave = [];
  }

  #follow(): void {
    this.stop();
    const isWatched = this.#watchers > 0;
    this.#budget = new SecondBudget(this.clock, isWatched ? BUDGET : UNWATCHED_BUDGET);
    const minLevel = isWatched ? 'trace' : 'warn';
    this.#leave = this.sources.map((source) =>
      source.follow({
        minLevel,
        buffered: true,
        take: (level, read, isBuffered) => this.#take(kindOf(level, isBuffered), read),
      }),
    );
  }

  #take(kind: keyof typeof BUDGET, read: () => LogRecord): void {
    if (!this.#budget.take(kind)) {
      this.#leftOut += 1;
      this.#leftOutAt = this.clock.now();
      return;
    }
    const { oldest, lastId } = this.#history;
    const row = this.#history.add(rowOf(read()));
    if (lastId >= MOST_RECORDS) this.#replacedAt = Math.max(this.#replacedAt, oldest!.at);
    if (kind !== 'quiet' && row.traceId !== '') this.#kept.add(row);
  }
}

function kindOf(level: LogRecordLevel, isBuffered: boolean): keyof typeof BUDGET {
  if (isBuffered) return 'buffered';
  return level === 'warn' || level === 'error' || level === 'fatal' ? 'loud' : 'quiet';
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
