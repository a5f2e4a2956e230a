import type { LogsView } from '../../../src/section-views.js';
import { iso, word } from '../../cells.js';
import { joined } from '../../model.js';
import type { Cell, Row } from '../../rows.js';
import { hashOf } from '../../tab-route.js';
import { spanText, timeText } from '../../texts.js';

/** In ascending order. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Which events are shown; an empty text leaves out none. */
export interface LogFilter {
  /** The least level. */
  readonly level: string;
  /** The logger, or the beginning of its name. */
  readonly logger: string;
  /** The request, or the beginning of its id. */
  readonly request: string;
  /** In the message, the error or the fields; case does not matter. */
  readonly text: string;
}

/** The newest event comes first; it leads to its trace if that is kept. */
export function logRows({ records, traces }: LogsView, filter: LogFilter, now: number): Row[] {
  const traceOf = tracesByEvent(traces);
  const least = LEVELS.indexOf(filter.level);
  const [logger, request, text] = [filter.logger, filter.request, filter.text].map((it) =>
    it.trim().toLowerCase(),
  ) as [string, string, string];
  return records
    .filter(
      (record) =>
        LEVELS.indexOf(record.level) >= least &&
        record.logger.toLowerCase().startsWith(logger) &&
        record.requestId.toLowerCase().startsWith(request) &&
        [record.message, record.error ?? '', record.fields].some((it) =>
          it.toLowerCase().includes(text),
        ),
    )
    .toReversed()
    .map(({ id, at, level, logger, message, error, fields, requestId }) => ({
      key: `${id}`,
      cells: [
        { text: timeText(at, now), look: 'time', title: iso(at) },
        word(level),
        { text: logger },
        { text: error === null ? message : `${message}: ${error}`, look: 'text' },
        { text: fields, look: 'text' },
        { text: requestId, look: 'text' },
        traceOf.get(id) ?? NO_TRACE,
      ],
    }));
}

const NO_TRACE: Cell = { text: '', look: 'text' };

function tracesByEvent(traces: LogsView['traces']): ReadonlyMap<number, Cell> {
  return new Map(
    traces.flatMap(({ id, name, records }) => {
      const cell = { text: name, look: 'text', href: hashOf('traces', { trace: id }) };
      return records.map((record) => [record, cell] as const);
    }),
  );
}

/**
 * The levels that were changed for a while.
 *
 * @param mayChange whether there is a column with buttons that end them.
 */
export function levelRows(
  { levels }: Pick<LogsView, 'levels'>,
  now: number,
  mayChange: boolean,
): Row[] {
  return levels.map(({ logger, level, until }) => {
    const name = logger ?? 'all loggers';
    const label = `Set the level of ${name} as before`;
    const end = { text: 'As before', asks: { id: logger ?? '', label, isPossible: true } };
    const left = until === null ? '–' : spanText(Math.max(0, until - now));
    return {
      key: logger ?? '',
      cells: [{ text: name }, { text: level }, { text: left }, ...(mayChange ? [end] : [])],
    };
  });
}

/** What is known and what is new, each once, and no more than is kept. */
export function mergedLogs(known: LogsView, next: LogsView): LogsView {
  return { ...next, records: joined(known.records, next.records, next.keeps) };
}
