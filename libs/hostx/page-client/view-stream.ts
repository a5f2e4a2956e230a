import type { PageView } from '../src/page/page-view.js';

/** Whether views come: they do, they will come again by themselves, or they are refused. */
export type Link = 'live' | 'lost' | 'over';

/** Between two attempts to connect where the browser would not try again, in milliseconds. */
const RETRY_MS = 2_000;
/** For how long a host may be silent that sends more often, in milliseconds. */
const LEAST_SILENCE_MS = 5_000;
/** How many messages in a row may be missing. */
const MISSED = 4;

export interface StreamAnswer {
  readonly status: number;
  /** What `Retry-After` says, in milliseconds; 0 where it is not there. */
  readonly retryAfterMs: number;
}

/** What the stream needs of a browser. */
export interface StreamBrowser {
  open(url: URL): Pick<EventSource, 'addEventListener' | 'readyState'>;
  /** How a stream would begin, and after how long to try again; undefined where nothing answers. */
  ask(url: URL): Promise<StreamAnswer | undefined>;
  now(): number;
  after(ms: number, run: () => void): unknown;
}

/**
 * Follows the host's stream. A browser gives up for good after any answer but 200, such as a proxy's 502 while the process
 * is restarted; here only 401 and 403 end it. A host that says nothing for too long counts as lost, though the connection is open.
 */
// Why: docs/decisions/0350
export class ViewStream {
  #link: Link = 'live';
  #heardAt: number;
  #silenceMs = Infinity;

  constructor(
    private readonly url: URL,
    private readonly browser: StreamBrowser,
    private readonly onView: (view: PageView) => void,
    private readonly onLink: () => void,
  ) {
    this.#heardAt = browser.now();
    this.#connect();
  }

  get link(): Link {
    const isSilent = this.browser.now() - this.#heardAt > this.#silenceMs;
    return this.#link === 'live' && isSilent ? 'lost' : this.#link;
  }

  #connect(): void {
    const source = this.browser.open(this.url);
    source.addEventListener('message', (event) => {
      const view = JSON.parse((event as MessageEvent<string>).data) as PageView;
      this.#heardAt = this.browser.now();
      this.#silenceMs = Math.max(LEAST_SILENCE_MS, MISSED * view.keeps.intervalMs);
      this.#link = 'live';
      this.onView(view);
    });
    source.addEventListener('error', () => {
      this.#become('lost');
      if (source.readyState === EventSource.CLOSED) void this.#retry();
    });
  }

  async #retry(): Promise<void> {
    const { status, retryAfterMs = 0 } = (await this.browser.ask(this.url)) ?? {};
    if (status === 401 || status === 403) this.#become('over');
    else this.browser.after(Math.max(RETRY_MS, retryAfterMs), () => this.#connect());
  }

  #become(link: Link): void {
    this.#link = link;
    this.onLink();
  }
}

export const STREAM_BROWSER: StreamBrowser = {
  open: (url) => new EventSource(url),
  ask: async (url) => {
    try {
      const { status, headers } = await fetch(url, { method: 'HEAD' });
      return { status, retryAfterMs: 1_000 * (Number(headers.get('retry-after')) || 0) };
    } catch {
      return undefined;
    }
  },
  now: () => performance.now(),
  after: (ms, run) => setTimeout(run, ms),
};
