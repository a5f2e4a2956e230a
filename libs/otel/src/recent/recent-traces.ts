import {
  type Clock,
  type Duration,
  Mistakes,
  type RecentTrace,
  type RecentTraceSpans,
  systemClock,
  TRACE_SOURCE,
  type TraceSource,
} from '@apix/contracts';
import {
  CLOCK,
  duration,
  type OptionTable,
  readOptions,
  type ReadOptions,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { type Context, SpanStatusCode, trace } from '@opentelemetry/api';
import { OtelError } from '../errors.js';
import {
  type EndedSpan,
  keptName,
  type KeptSpan,
  keptSpan,
  milliseconds,
  refusalIn,
  type SpanListener,
} from './kept-span.js';
import { LocalTrace } from './local-trace.js';

export interface RecentTracesOptions {
  /** How many of the slowest are kept, of the failed, and of the refused; at most 200. Default: 20. */
  readonly traces?: number | undefined;
  /** How long ago the end of a kept trace may be. Default: '10m'. */
  readonly window?: Duration | undefined;
  /** How many spans of a trace are kept, the first included; at most 500. Default: 200. */
  readonly spans?: number | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** The allowed values of the options of recent traces. */
export const RECENT_TRACES_OPTIONS = {
  traces: withDefault(wholeNumber({ min: 1, max: 200 }), 20),
  window: withDefault(duration({ min: 1 }), 600_000),
  spans: withDefault(wholeNumber({ min: 1, max: 500 }), 200),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<RecentTracesOptions>;

/** The options, read, with every default; the window in milliseconds. */
type ResolvedRecentTraces = ReadOptions<typeof RECENT_TRACES_OPTIONS>;

/** Of the spans of all traces under way that have ended, in UTF-16 units. */
const MOST_UNDER_WAY = 8_000_000;
/** Traces under way with spans that have ended. */
const MOST_TRACES_UNDER_WAY = 2_000;
/** How often old traces are removed while nothing reads them, in milliseconds. */
const EXPIRE_EVERY_MS = 1_000;

/**
 * Keeps the slowest, the failed and the refused traces of the last minutes in memory, for the host page: a span
 * processor for a tracer provider. A trace here is the work of this process for one request, message or
 * run: it begins with a span that has no parent or one in another process, and the status of that span
 * decides whether it failed. Refused are those that did not fail, and whose caller is to blame, as with a 4xx. One name
 * gets at most a quarter of the places of a list.
 *
 * Bounded, whatever callers send: the traces of the three lists, `spans` spans and 64,000 characters each, and
 * of traces under way 2,000 with 8,000,000 characters together; beyond that the oldest drop their spans.
 * Names, messages and attributes are cut, attributes to 32 with 4,000 characters a span.
 */
export class RecentTraces implements SpanListener, TraceSource {
  readonly [TRACE_SOURCE] = true as const;
  readonly #options: ResolvedRecentTraces;
  readonly #slowest: Ranking;
  readonly #failed: Ranking;
  readonly #refused: Ranking;
  /** Those with spans that have ended, the oldest first. */
  readonly #underWay = new Set<LocalTrace>();
  #costUnderWay = 0;
  #expiredAt = 0;
  /** On each span, the trace that it belongs to. */
  // Why: docs/decisions/0267
  readonly #traceOf = Symbol('apix.otel.LocalTrace');

  /** @throws OtelError for wrong options. */
  constructor(options: RecentTracesOptions = {}) {
    const mistakes = new Mistakes();
    this.#options = readOptions(RECENT_TRACES_OPTIONS, options, 'recent', mistakes);
    mistakes.throwIfAny((found) => new OtelError(found));
    this.#slowest = new Ranking(this.#options.traces);
    this.#failed = new Ranking(this.#options.traces);
    this.#refused = new Ranking(this.#options.traces);
  }

  onStart(span: object, parentContext: Context): void {
    // The parent in another process is a span without a trace here.
    const known = this.#of(trace.getSpan(parentContext));
    (span as Marked)[this.#traceOf] = known ?? new LocalTrace(span);
  }

  onEnd(span: EndedSpan): void {
    const local = this.#of(span);
    if (local === undefined) return;
    if (local.begin === span) this.#rank(local, span);
    else if (local.canTake(this.#options.spans)) this.#take(local, keptSpan(span));
    else local.leaveOut();
  }

  traces(): readonly RecentTrace[] {
    this.#expire();
    return this.#kept().flatMap((local) => (local.root ? [local.summary(local.root)] : []));
  }

  trace(id: string): RecentTraceSpans | undefined {
    this.#expire();
    const local = this.#kept().find(({ root }) => root?.id === id);
    return local?.root && local.whole(local.root);
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}

  get #lists(): readonly Ranking[] {
    return [this.#slowest, this.#failed, this.#refused];
  }

  #of(span: object | undefined): LocalTrace | undefined {
    return (span as Marked | undefined)?.[this.#traceOf];
  }

  #take(local: LocalTrace, span: KeptSpan): void {
    local.take(span);
    // Spans may end after the one that they belong to.
    if (local.begin === null) return;
    this.#underWay.add(local);
    this.#costUnderWay += span.cost;
    while (this.#costUnderWay > MOST_UNDER_WAY || this.#underWay.size > MOST_TRACES_UNDER_WAY) {
      const [oldest] = this.#underWay;
      if (oldest === undefined) return;
      this.#land(oldest);
      oldest.shed();
    }
  }

  /** It is no longer among those under way. */
  #land(local: LocalTrace): void {
    if (this.#underWay.delete(local)) this.#costUnderWay -= local.cost;
  }

  /** Most traces are neither slow nor failed nor refused: nothing of them is copied. */
  #rank(local: LocalTrace, span: EndedSpan): void {
    this.#land(local);
    const now = this.#options.clock.now();
    if (Math.abs(now - this.#expiredAt) >= EXPIRE_EVERY_MS) this.#expire(now);
    const hasFailed = span.status.code === SpanStatusCode.ERROR;
    const isRefused = refusalIn(span) !== null;
    const name = keptName(span);
    const isSlow = this.#slowest.wouldTake(name, milliseconds(span.duration));
    if (!isSlow && !hasFailed && !isRefused) {
      local.forget();
      return;
    }
    const root = keptSpan(span);
    local.end(root, now);
    // All take it before one is forgotten: the one that goes from a list may be in another.
    const gone = [
      isSlow ? this.#slowest.take(local, name, root.durationMs) : undefined,
      hasFailed ? this.#failed.take(local, name, now) : undefined,
      isRefused ? this.#refused.take(local, name, now) : undefined,
    ];
    for (const trace of gone) this.#forget(trace);
  }

  #expire(now = this.#options.clock.now()): void {
    this.#expiredAt = now;
    const before = now - this.#options.window;
    for (const list of this.#lists) for (const local of list.expire(before)) this.#forget(local);
  }

  #forget(local: LocalTrace | undefined): void {
    if (local === undefined || this.#lists.some((list) => list.has(local))) return;
    local.forget();
  }

  #kept(): readonly LocalTrace[] {
    return [...new Set(this.#lists.flatMap(({ traces }) => traces))];
  }
}

type Marked = Record<symbol, LocalTrace | undefined>;

/** A trace in a list, with what decides about its place. */
interface RankedTrace {
  readonly trace: LocalTrace;
  readonly name: string;
  readonly rank: number;
}

/**
 * The traces of the highest rank. One name gets at most a share of the places, so that a probe every second
 * leaves room for the rest.
 */
class Ranking {
  #entries: RankedTrace[] = [];
  readonly #share: number;

  constructor(private readonly most: number) {
    this.#share = Math.ceil(most / 4);
  }

  get traces(): readonly LocalTrace[] {
    return this.#entries.map(({ trace }) => trace);
  }

  has(trace: LocalTrace): boolean {
    return this.#entries.some((entry) => entry.trace === trace);
  }

  /** Whether a trace of this name ranks high enough to be taken. */
  wouldTake(name: string, rank: number): boolean {
    const rival = this.#rivalOf(name);
    return rival === undefined || rival.rank <= rank;
  }

  /** Takes a trace, and returns the one that had to go for it. */
  take(trace: LocalTrace, name: string, rank: number): LocalTrace | undefined {
    const rival = this.#rivalOf(name);
    if (rival !== undefined) this.#entries.splice(this.#entries.indexOf(rival), 1);
    this.#entries.push({ trace, name, rank });
    return rival?.trace;
  }

  /** Removes what ended before a moment. */
  expire(before: number): readonly LocalTrace[] {
    if (this.#entries.every(({ trace }) => trace.endedAt >= before)) return [];
    const gone = this.#entries.filter(({ trace }) => trace.endedAt < before);
    this.#entries = this.#entries.filter(({ trace }) => trace.endedAt >= before);
    return gone.map(({ trace }) => trace);
  }

  /** The lowest of its own name if that has its share; the lowest of all if every place is taken. */
  #rivalOf(name: string): RankedTrace | undefined {
    let own = 0;
    let lowestOwn: RankedTrace | undefined;
    let lowest: RankedTrace | undefined;
    for (const entry of this.#entries) {
      if (lowest === undefined || entry.rank < lowest.rank) lowest = entry;
      if (entry.name !== name) continue;
      own += 1;
      if (lowestOwn === undefined || entry.rank < lowestOwn.rank) lowestOwn = entry;
    }
    if (own >= this.#share) return lowestOwn;
    return this.#entries.length < this.most ? undefined : lowest;
  }
}
