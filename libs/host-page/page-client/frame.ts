import type { PageView } from '../src/page-view.js';
import { type Connection, bannerOf } from './banner.js';
import { byId, say } from './elements.js';
import { spanText } from './texts.js';
import type { Link } from './view-stream.js';

const CONNECTION_TEXTS = {
  live: ['live', 'good'],
  paused: ['paused', 'busy'],
  lost: ['connection lost, trying again', 'bad'],
  over: ['access ended, reload the page', 'bad'],
} as const;

/** What is around every tab: the summary, the state of the connection, the pause and the banner. */
export class Frame {
  readonly #title = document.title;
  #isPaused = false;
  /** The id of the previous process, if the process was replaced while the page was open. */
  #former: number | null = null;
  /** When the displayed view was sent, by the server's clock. */
  #shownAt = 0;

  /**
   * @param now the time by the server's clock.
   * @param onPause called when updates were paused or continued.
   */
  constructor(
    private readonly now: () => number,
    onPause: () => void,
  ) {
    const pause = byId('pause');
    pause.addEventListener('click', () => {
      this.#isPaused = !this.#isPaused;
      pause.setAttribute('aria-pressed', String(this.#isPaused));
      onPause();
    });
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Notes that another process has answered. */
  note(view: PageView | null, next: PageView): void {
    if (view !== null && view.process.startedAt !== next.process.startedAt) {
      this.#former = view.process.pid;
    }
  }

  show(view: PageView): void {
    this.#shownAt = view.now;
    this.showSummary(view);
  }

  showSummary({ host, process }: PageView): void {
    const now = this.now();
    const why = host.reason === undefined ? '' : ` (${host.reason})`;
    byId('summary').textContent =
      `${host.phase}${why} for ${spanText(now - host.since)} · ${host.environment} · ` +
      `process ${process.pid}, Node ${process.node}, up ${spanText(now - process.startedAt)}` +
      (this.#former === null ? '' : `, in place of process ${this.#former}`);
  }

  /** Shows the state of the connection; content that is not live is greyed out. */
  showConnection(view: PageView | null, link: Link): void {
    const state: Connection = link === 'live' && this.#isPaused ? 'paused' : link;
    const [text, look] = CONNECTION_TEXTS[state];
    const connection = byId('connection');
    say(connection, text);
    connection.className = look;
    const banner = bannerOf(view, state, this.#shownAt, this.now());
    say(byId('readiness'), banner.text);
    byId('why').textContent = banner.why;
    document.title = /bad|busy/.test(banner.look) ? `${banner.text}: ${this.#title}` : this.#title;
    byId('banner').className = `banner ${banner.look}`;
    byId('content').classList.toggle('stale', state !== 'live');
  }
}
