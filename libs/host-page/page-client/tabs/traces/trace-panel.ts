import type { TraceRow, TraceView } from '../../../src/page-view.js';
import { DetailPanel } from '../../detail-panel.js';
import { byId } from '../../elements.js';
import { loaded } from '../../loaded.js';
import { millisecondsText, numberText } from '../../texts.js';
import { WaterfallTable } from './waterfall-table.js';
import { waterfall } from './waterfall.js';

/** Shows the spans of the open trace. They stay visible when the host no longer keeps the trace. */
export class TracePanel {
  readonly #panel: DetailPanel;
  readonly #summary = byId('trace-summary');
  readonly #table = new WaterfallTable(byId('spans') as HTMLTableSectionElement);
  /** The number of spans that the trace had at the last request. */
  #asked = 0;

  /**
   * @param base the URL of the traces.
   * @param onChange called when a trace was opened or closed.
   */
  constructor(
    private readonly base: URL,
    private readonly onChange: () => void,
  ) {
    this.#panel = new DetailPanel('trace', byId('requests-title'), () => {
      this.#table.clear();
      onChange();
    });
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
    this.#table.clear();
    this.#summary.textContent = 'loading';
    this.#panel.show(trace.id, trace.name, opener);
    this.onChange();
    void this.#load(trace);
  }

  /** Loads the open trace again if its number of spans has changed. */
  refresh(traces: readonly TraceRow[]): void {
    const trace = traces.find(({ id }) => id === this.open);
    if (trace !== undefined && trace.spanCount !== this.#asked) void this.#load(trace);
  }

  async #load({ id, spanCount }: TraceRow): Promise<void> {
    this.#asked = spanCount;
    const found = await loaded<TraceView>(
      new URL(encodeURIComponent(id), this.base),
      'no longer kept',
    );
    if (this.open !== id) return;
    if (typeof found === 'string') {
      this.#summary.textContent = found;
      return;
    }
    this.#summary.textContent = summaryText(found);
    this.#table.show(waterfall(found));
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
