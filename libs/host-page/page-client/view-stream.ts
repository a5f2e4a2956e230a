import type { PageView } from '../src/page-view.js';

/** The state of the connection: views arrive, reconnection is in progress, or access was refused. */
export type Link = 'live' | 'lost' | 'over';

/** Delay before a new attempt to connect if the browser has given up, in milliseconds. */
const RETRY_MS = 2_000;
/** The connection is not considered lost before this time without a message, in milliseconds. */
const LEAST_SILENCE_MS = 5_000;
/** How many consecutive messages may be missing. */
const MISSED = 4;

type OpenStream = Pick<EventSource, 'addEventListener' | 'readyState' | 'close'>;

export interface StreamAnswer {
  readonly status: number;
  /** The value of `Retry-After`, in milliseconds; 0 without that header. */
  readonly retryAfterMs: number;
}

/** The functions of a browser that the stream uses. */
export interface StreamBrowser {
  open(url: URL): OpenStream;
  /** The answer that a request for the stream would get; undefined if there is no answer. */
  ask(url: URL): Promise<StreamAnswer | undefined>;
  now(): number;
  after(ms: number, run: () => void): unknown;
}

/**
 * Receives the host's stream. A browser stops reconnecting after any status other than 200, such as a proxy's 502 while
 * the process restarts; this class only stops after 401 and 403. If no message arrives for too long, the connection is
 * considered lost, even if it is open.
 */
// Why: docs/decisions/0062
export class ViewStream {
  #link: Link = 'live';
  #heardAt: number;
  #silenceMs = Infinity;
  #source: OpenStream | null = null;

  /** @param url the address of the stream; another one may follow. */
  constructor(
    private url: URL,
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

  /** Continues with the stream at another address. Access that was refused stays refused. */
  follow(url: URL): void {
    if (this.url.href === url.href) return;
    this.url = url;
    if (this.#link !== 'over') this.#connect();
  }

  #connect(): void {
    this.#source?.close();
    const source = this.browser.open(this.url);
    this.#source = source;
    source.addEventListener('message', (event) => {
      const view = JSON.parse((event as MessageEvent<string>).data) as PageView;
      this.#heardAt = this.browser.now();
      this.#silenceMs = Math.max(LEAST_SILENCE_MS, MISSED * view.keeps.intervalMs);
      this.#link = 'live';
      this.onView(view);
    });
    source.addEventListener('error', () => {
      if (source !== this.#source) return;
      this.#become('lost');
      if (source.readyState === EventSource.CLOSED) void this.#retry(source);
    });
  }

  async #retry(source: OpenStream): Promise<void> {
    const { status, retryAfterMs = 0 } = (await this.browser.ask(this.url)) ?? {};
    if (source !== this.#source) return;
    if (status === 401 || status === 403) {
      this.#become('over');
    } else {
      this.browser.after(Math.max(RETRY_MS, retryAfterMs), () => {
        if (source === this.#source) this.#connect();
      });
    }
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
