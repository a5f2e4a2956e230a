import { type Connection, bannerOf } from './banner.js';
import type { PageView, Sample } from '../src/page-view.js';
import { merged } from './model.js';
import { Plot } from './plot.js';
import { type Row, Rows } from './rows.js';
import {
  BYTES_PER_MB,
  checkRows,
  eventRows,
  figureRows,
  jobRows,
  marksOf,
  matching,
  processRows,
  serviceRows,
} from './tables.js';
import { TracePanel } from './trace-panel.js';
import { failedRows, slowestRows } from './trace-rows.js';
import { megabytesText, millisecondsText, spanText } from './texts.js';
import { STREAM_BROWSER, ViewStream } from './view-stream.js';

/** How often displayed durations are updated between two messages, in milliseconds. */
const TICK_MS = 1_000;

const TITLE = document.title;

const byId = (id: string): HTMLElement => document.querySelector<HTMLElement>(`#${id}`)!;
const bodyOf = (id: string): HTMLTableSectionElement =>
  document.querySelector<HTMLTableSectionElement>(`#${id}`)!;
const rows = (id: string, columns: number): Rows => new Rows(bodyOf(id), columns);
const svg = (id: string): SVGSVGElement => document.querySelector<SVGSVGElement>(`#${id}`)!;

const services = rows('services', 5);
const processes = rows('processes', 6);
const checks = rows('checks', 2);
const jobs = rows('jobs', 8);
const events = rows('events', 4);
const figures = rows('figures', 4);
const slowest = rows('slowest', 4);
const failed = rows('failed', 4);
const memory = new Plot(
  svg('memory'),
  byId('memory-legend'),
  'Memory',
  ['resident', 'heap in use'],
  megabytesText,
);
const delay = new Plot(
  svg('delay'),
  byId('delay-legend'),
  'Delay of the event loop',
  ['longest', 'median'],
  millisecondsText,
);
const connection = byId('connection');
const pause = byId('pause');
const restart = byId('restart') as HTMLButtonElement;
const problems = document.querySelector<HTMLInputElement>('#problems')!;
const eventsFilter = document.querySelector<HTMLInputElement>('#events-filter')!;
const figuresFilter = document.querySelector<HTMLInputElement>('#figures-filter')!;

let view: PageView | null = null;
/** By how much the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0;
let isPaused = false;
/** The id of the previous process, if the process was replaced while the page was open. */
let former: number | null = null;
/** When the displayed view was sent, by the server's clock. */
let shownAt = 0;

const { src } = document.currentScript as HTMLScriptElement;
const trace = new TracePanel(
  {
    panel: byId('trace'),
    title: byId('trace-title'),
    summary: byId('trace-summary'),
    close: byId('trace-close'),
    spans: bodyOf('spans'),
  },
  new URL('traces/', src),
  () => {
    if (view !== null) showTraces(view);
  },
  byId('requests-title'),
);
const stream = new ViewStream(new URL('stream', src), STREAM_BROWSER, take, () => showConnection());
setInterval(() => {
  // Without a connection it is not known whether the displayed states still last.
  if (view !== null && connectionState() === 'live') showTimes(view);
  showConnection();
}, TICK_MS);
pause.addEventListener('click', () => {
  isPaused = !isPaused;
  pause.setAttribute('aria-pressed', String(isPaused));
  if (view !== null && !isPaused) show(view);
  showConnection();
});
restart.addEventListener('click', () => {
  if (confirm('Replace all processes, one after the other?')) void askForRestart();
});
byId('requests').addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('[data-opens]');
  const row = view?.traces?.find(({ id }) => id === button?.dataset['opens']);
  if (button !== null && row !== undefined) trace.toggle(row, button);
});
for (const input of [problems, eventsFilter]) {
  input.addEventListener('input', () => {
    if (view !== null) showEvents(view);
  });
}
figuresFilter.addEventListener('input', () => {
  if (view !== null) showFigures(view);
});

function take(next: PageView): void {
  ahead = next.now - Date.now();
  if (view !== null && view.process.startedAt !== next.process.startedAt) former = view.process.pid;
  const { events } = view ?? {};
  view = merged(view, next);
  if (!isPaused) show(view, events);
  showConnection();
}

/** @param shownEvents the displayed events; they are not rendered again, because a long list takes time. */
function show(view: PageView, shownEvents?: PageView['events']): void {
  shownAt = view.now;
  showTimes(view);
  checks.show(checkRows(view));
  trace.refresh(view.traces ?? []);
  if (view.events !== shownEvents) showEvents(view);
  showFigures(view);
  const { samples, keeps } = view;
  const spanMs = keeps.samples * keeps.intervalMs;
  const ago = `${spanText(spanMs)} ago`;
  const newest = samples.at(-1)?.at ?? view.now;
  const range = { capacity: keeps.samples, spanMs, ago, newest };
  const marks = marksOf(view);
  const values = (of: (sample: Sample) => number): number[] => samples.map(of);
  memory.show(
    [values(({ rss }) => rss / BYTES_PER_MB), values(({ heapUsed }) => heapUsed / BYTES_PER_MB)],
    range,
    marks,
  );
  delay.show(
    [values(({ delayMaxMs }) => delayMaxMs), values(({ delayMedianMs }) => delayMedianMs)],
    range,
    marks,
  );
}

/** Updates the parts that depend on the current time. */
function showTimes(view: PageView): void {
  const now = Date.now() + ahead;
  const { host, process } = view;
  const why = host.reason === undefined ? '' : ` (${host.reason})`;
  byId('summary').textContent =
    `${host.phase}${why} for ${spanText(now - host.since)} · ${host.environment} · ` +
    `process ${process.pid}, Node ${process.node}, up ${spanText(now - process.startedAt)}` +
    (former === null ? '' : `, in place of process ${former}`);
  services.show(serviceRows(view, now));
  processes.show(processRows(view, now));
  byId('processes-section').hidden = view.processes === null;
  restart.hidden = !view.restartable;
  jobs.show(jobRows(view, now));
  showTraces(view);
}

async function askForRestart(): Promise<void> {
  restart.disabled = true;
  try {
    const { ok, status } = await fetch(new URL('restart', src), { method: 'POST' });
    say(byId('restart-said'), ok ? 'the restart has begun' : `refused with status ${status}`);
  } catch {
    say(byId('restart-said'), 'no answer; look at the events');
  } finally {
    restart.disabled = false;
  }
}

function showTraces(view: PageView): void {
  const now = Date.now() + ahead;
  byId('requests').hidden = view.traces === null;
  slowest.show(slowestRows(view, now, trace.open));
  failed.show(failedRows(view, now, trace.open));
}

function showEvents(view: PageView): void {
  showMatching(events, eventRows(view, problems.checked), eventsFilter);
}

function showFigures(view: PageView): void {
  showMatching(figures, figureRows(view), figuresFilter);
}

function showMatching(table: Rows, all: readonly Row[], filter: HTMLInputElement): void {
  const found = matching(all, filter.value);
  const isFiltered = filter.value.trim() !== '';
  table.show(found, isFiltered ? 'nothing matches the filter' : undefined);
  byId(`${filter.id}-count`).textContent = isFiltered ? `${found.length} of ${all.length}` : '';
}

function connectionState(): Connection {
  const { link } = stream;
  return link === 'live' && isPaused ? 'paused' : link;
}

const CONNECTION_TEXTS = {
  live: ['live', 'good'],
  paused: ['paused', 'busy'],
  lost: ['connection lost, trying again', 'bad'],
  over: ['access ended, reload the page', 'bad'],
} as const;

/** Shows the state of the connection; content that is not live is greyed out. */
function showConnection(): void {
  const state = connectionState();
  const [text, look] = CONNECTION_TEXTS[state];
  say(connection, text);
  connection.className = look;
  const banner = bannerOf(view, state, shownAt, Date.now() + ahead);
  say(byId('readiness'), banner.text);
  byId('why').textContent = banner.why;
  document.title = /bad|busy/.test(banner.look) ? `${banner.text}: ${TITLE}` : TITLE;
  byId('banner').className = `banner ${banner.look}`;
  document.querySelector('main')!.classList.toggle('stale', state !== 'live');
}

/** Changes the text only if it differs, because a screen reader announces every change. */
function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
