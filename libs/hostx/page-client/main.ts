import type { PageView, Sample } from '../src/page/page-view.js';
import { merged } from './model.js';
import { Plot } from './plot.js';
import { Rows } from './rows.js';
import { checkRows, eventRows, figureRows, jobRows, serviceRows } from './tables.js';
import { TracePanel } from './trace-panel.js';
import { failedRows, slowestRows } from './trace-rows.js';
import { megabytesText, millisecondsText, spanText } from './texts.js';

/** How often spans of time move on between two messages, in milliseconds. */
const TICK_MS = 1_000;
const BYTES_PER_MB = 1_048_576;

const byId = (id: string): HTMLElement => document.querySelector<HTMLElement>(`#${id}`)!;
const bodyOf = (id: string): HTMLTableSectionElement =>
  document.querySelector<HTMLTableSectionElement>(`#${id}`)!;
const rows = (id: string, columns: number): Rows => new Rows(bodyOf(id), columns);
const svg = (id: string): SVGSVGElement => document.querySelector<SVGSVGElement>(`#${id}`)!;

const services = rows('services', 5);
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
const problems = document.querySelector<HTMLInputElement>('#problems')!;

let view: PageView | null = null;
/** By how much the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0;
let isPaused = false;

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
const stream = new EventSource(new URL('stream', src));
stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
  const next = JSON.parse(data) as PageView;
  ahead = next.now - Date.now();
  view = merged(view, next);
  say('live', 'good');
  if (!isPaused) show(view);
});
stream.addEventListener('error', () => {
  const isOver = stream.readyState === EventSource.CLOSED;
  say(isOver ? 'access ended, reload the page' : 'connection lost, trying again', 'bad');
});
setInterval(() => {
  if (view !== null && !isPaused) showTimes(view);
}, TICK_MS);
pause.addEventListener('click', () => {
  isPaused = !isPaused;
  pause.setAttribute('aria-pressed', String(isPaused));
  if (view !== null && !isPaused) show(view);
});
byId('requests').addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('[data-opens]');
  const row = view?.traces?.find(({ id }) => id === button?.dataset['opens']);
  if (button !== null && row !== undefined) trace.toggle(row, button);
});
problems.addEventListener('change', () => {
  if (view !== null) events.show(eventRows(view, problems.checked));
});

function show(view: PageView): void {
  showTimes(view);
  showHealth(view);
  trace.refresh(view.traces ?? []);
  events.show(eventRows(view, problems.checked));
  figures.show(figureRows(view));
  const { samples, keeps } = view;
  const ago = `${spanText(keeps.samples * keeps.intervalMs)} ago`;
  const values = (of: (sample: Sample) => number): number[] => samples.map(of);
  memory.show(
    [values(({ rss }) => rss / BYTES_PER_MB), values(({ heapUsed }) => heapUsed / BYTES_PER_MB)],
    keeps.samples,
    ago,
  );
  delay.show(
    [values(({ delayMaxMs }) => delayMaxMs), values(({ delayMedianMs }) => delayMedianMs)],
    keeps.samples,
    ago,
  );
}

/** What changes by the passing of time alone. */
function showTimes(view: PageView): void {
  const now = Date.now() + ahead;
  const { host, process } = view;
  const why = host.reason === undefined ? '' : ` (${host.reason})`;
  byId('summary').textContent =
    `${host.phase}${why} for ${spanText(now - host.since)} · ${host.environment} · ` +
    `process ${process.pid}, Node ${process.node}, up ${spanText(now - process.startedAt)}`;
  services.show(serviceRows(view, now));
  jobs.show(jobRows(view, now));
  showTraces(view);
}

function showTraces(view: PageView): void {
  const now = Date.now() + ahead;
  byId('requests').hidden = view.traces === null;
  slowest.show(slowestRows(view, now, trace.open));
  failed.show(failedRows(view, now, trace.open));
}

function showHealth(view: PageView): void {
  const { health } = view;
  const readiness = byId('readiness');
  readiness.textContent =
    health === null ? 'checking' : health.isReady ? 'ready for traffic' : 'not ready for traffic';
  readiness.className = health === null ? '' : health.isReady ? 'good' : 'bad';
  checks.show(checkRows(view));
}

/** A screen reader tells it, so only what is new is said. */
function say(text: string, look: string): void {
  if (connection.textContent !== text) connection.textContent = text;
  connection.className = look;
}
