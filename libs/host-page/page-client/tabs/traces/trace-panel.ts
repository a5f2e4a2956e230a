import type { TraceRow, TraceView } from '../../../src/page-view.js';
import { loaded } from '../../loaded.js';
import { millisecondsText, numberText } from '../../texts.js';
import { WaterfallTable } from './waterfall-table.js';
import { waterfall } from './waterfall.js';

/** The parts of the page that show one trace. */
export interface TracePanelParts {
  readonly panel: HTMLElement;
  readonly title: HTMLElement;
  readonly summary: HTMLElement;
  readonly close: HTMLElement;
  readonly spans: HTMLTableSectionElement;
}

/** Shows the spans of the open trace. They stay visible when the host no longer keeps the trace. */
export class TracePanel {
  readonly #table: WaterfallTable;
  #open: string | null = null;
  #opener: HTMLElement | null = null;
  /** The number of spans that the trace had at the last request. */
  #asked = 0;

  /**
   * @param base the URL of the traces.
   * @param onChange called when a trace was opened or closed.
   * @param shelter gets the focus when the panel is closed, if the button that opened it is gone.
   */
  constructor(
    private readonly parts: TracePanelParts,
    private readonly base: URL,
    private readonly onChange: () => void,
    private readonly shelter: HTMLElement,
  ) {
    this.#table = new WaterfallTable(parts.spans);
    parts.close.addEventListener('click', () => this.#close());
    parts.panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#close();
    });
  }

  /** The id of the open trace; null if none is open. */
  get open(): string | null {
    return this.#open;
  }

  /** Opens a trace, or closes it if it is open. */
  toggle(trace: TraceRow, opener: HTMLElement): void {
    if (this.#open === trace.id) {
      this.#close();
      return;
    }
    this.#open = trace.id;
    this.#opener = opener;
    this.#table.clear();
    this.parts.title.textContent = trace.name;
    this.parts.summary.textContent = 'loading';
    this.parts.panel.hidden = false;
    this.parts.title.focus();
    this.onChange();
    void this.#load(trace);
  }

  /** Loads the open trace again if its number of spans has changed. */
  refresh(traces: readonly TraceRow[]): void {
    const trace = traces.find(({ id }) => id === this.#open);
    if (trace !== undefined && trace.spanCount !== this.#asked) void this.#load(trace);
  }

  async #load({ id, spanCount }: TraceRow): Promise<void> {
    this.#asked = spanCount;
    const found = await loaded<TraceView>(
      new URL(encodeURIComponent(id), this.base),
      'no longer kept',
    );
    if (this.#open !== id) return;
    if (typeof found === 'string') {
      this.parts.summary.textContent = found;
      return;
    }
    this.parts.summary.textContent = summaryText(found);
    this.#table.show(waterfall(found));
  }

  #close(): void {
    this.#open = null;
    this.parts.panel.hidden = true;
    this.#table.clear();
    const opener = this.#opener;
    (opener?.isConnected === true ? opener : this.shelter).focus();
    this.onChange();
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
