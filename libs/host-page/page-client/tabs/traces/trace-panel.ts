import type { TraceRow, TraceView, TracesView } from '../../../src/section-views.js';
import { DetailPanel } from '../../detail-panel.js';
import { byId, rowsOf } from '../../elements.js';
import { loaded } from '../../loaded.js';
import { millisecondsText, numberText } from '../../texts.js';
import { eventRows, gapText } from './event-rows.js';
import { WaterfallTable } from './waterfall-table.js';
import { waterfall } from './waterfall.js';

const NOTHING_YET = { spans: Infinity, events: Infinity };

/** Shows the spans and the log of the open trace. They stay visible when the host no longer keeps the trace. */
export class TracePanel {
  readonly #panel: DetailPanel;
  readonly #summary = byId('trace-summary');
  readonly #table = new WaterfallTable(byId('spans') as HTMLTableSectionElement);
  readonly #events = rowsOf('trace-events');
  /** How many spans and events are shown; infinitely many until the trace is loaded. */
  #shown = NOTHING_YET;

  /**
   * @param base the URL of the traces.
   * @param onChange called when a trace was opened or closed by a viewer.
   */
  constructor(
    private readonly base: URL,
    private readonly onChange: () => void,
  ) {
    this.#panel = new DetailPanel('trace', byId('requests-title'), onChange);
  }

  /** The id of the open trace; null if none is open. */
  get open(): string | null {
    return this.#panel.open;
  }

  /** Opens a trace, or closes it if it is open. */
  toggle(trace: TraceRow, opener: HTMLElement): void {
    if (this.open === trace.id) {
      this.#panel.close();
      return;
    }
    this.#clear();
    this.#panel.show(trace.id, trace.name, opener);
    this.onChange();
    void this.#load(trace.id);
  }

  /** Opens the trace that the address names; null closes. */
  follow(id: string | null): void {
    if (this.open === id) return;
    if (id === null) {
      this.#panel.hide();
      return;
    }
    this.#clear();
    this.#panel.show(id, 'Request');
    void this.#load(id).then(() => byId('trace-title').focus());
  }

  /** Loads the open trace again if it has more spans or events. */
  refresh({ traces, logged }: TracesView): void {
    const trace = traces.find(({ id }) => id === this.open);
    if (trace === undefined) return;
    const { spans, events } = this.#shown;
    if (trace.spanCount > spans || (logged[trace.id] ?? 0) > events) void this.#load(trace.id);
  }

  #clear(): void {
    this.#shown = NOTHING_YET;
    this.#table.clear();
    this.#summary.textContent = 'loading';
    byId('trace-log').hidden = true;
  }

  async #load(id: string): Promise<void> {
    const found = await loaded<TraceView>(
      new URL(encodeURIComponent(id), this.base),
      'no longer kept',
    );
    if (this.open !== id) return;
    if (typeof found === 'string') {
      this.#summary.textContent = found;
      return;
    }
    this.#shown = { spans: found.spanCount, events: found.log?.records.length ?? Infinity };
    byId('trace-title').textContent = found.name;
    this.#summary.textContent = summaryText(found);
    this.#table.show(waterfall(found));
    this.#showLog(found);
  }

  #showLog(trace: TraceView): void {
    const { log } = trace;
    byId('trace-log').hidden = log === null;
    if (log === null) return;
    this.#events.show(eventRows(trace, log));
    byId('trace-gap').textContent = gapText(log);
  }
}

function summaryText({
  traceId,
  durationMs,
  error,
  failed,
  spanCount,
  leftOut,
}: TraceView): string {
  const parts = [
    millisecondsText(durationMs),
    failed ? `failed${error === null ? '' : `: ${error}`}` : 'not failed',
    `${numberText(spanCount)} ${spanCount === 1 ? 'span' : 'spans'}`,
    ...(leftOut > 0 ? [`${numberText(leftOut)} left out`] : []),
    `trace id ${traceId}`,
  ];
  return parts.join(' · ');
}
