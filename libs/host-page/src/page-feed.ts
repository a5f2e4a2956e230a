import type { ServerResponse } from 'node:http';
import { thrownText } from '@apix/contracts';
import { messageReplacer } from '@apix/contracts/internal';
import type { Observer } from '@apix/hostx';
import { EventLog } from './event-log.js';
import type { ResolvedHostPage } from './host-page-options.js';
import { type PageSources, healthView, pageState } from './page-source.js';
import type { HealthView, PageView, ProcessRow } from './page-view.js';
import type { OnSourceFailure } from './read-each-source.js';
import { ProcessSampler } from './process-sampler.js';
import { Viewers } from './viewers.js';

/** Events within this time, in milliseconds, are sent in one message. */
const GATHER_MS = 50;

/** Keeps the page's histories, and sends new entries to the viewers. */
export class PageFeed {
  readonly #options: ResolvedHostPage;
  readonly #sources: PageSources;
  readonly #log: EventLog;
  readonly #sampler: ProcessSampler;
  readonly #viewers: Viewers;
  readonly #failed = new Set<string>();
  #told = { event: 0, sample: 0 };
  #health: HealthView | null = null;
  #processes: readonly ProcessRow[] | null = null;
  #checkedAt = -Infinity;
  #cancelTick: (() => void) | null = null;
  #cancelTell: (() => void) | null = null;

  constructor(options: ResolvedHostPage, sources: PageSources) {
    const { clock } = options;
    this.#options = options;
    this.#sources = sources;
    this.#log = new EventLog(options.events, clock);
    this.#sampler = new ProcessSampler(options.samples, clock);
    this.#viewers = new Viewers(options.viewers, clock);
    this.#log.onEvent = () => {
      // An event of the host may change whether it is ready.
      this.#checkedAt = -Infinity;
      this.#tellSoon();
    };
  }

  /** The observer to register with the host. */
  get observer(): Observer {
    return this.#log.observer;
  }

  /** Takes samples from now on. */
  start(): void {
    this.#sampler.start();
    this.#sampler.take();
    this.#arm();
  }

  /** Ends every stream and everything that runs. */
  stop(): void {
    this.#cancelTick?.();
    this.#cancelTick = null;
    this.#sampler.stop();
    this.#viewers.endAll();
    this.#cancelTell?.();
  }

  /** Answers with a stream of views: first the whole history, then new entries. */
  view(response: ServerResponse): void {
    const whole = JSON.stringify(this.#view({ event: 0, sample: 0 }, true), messageReplacer());
    // The next message is for all viewers, and must not repeat what this one has.
    if (this.#viewers.size === 0) this.#noteTold();
    else this.#send();
    this.#viewers.add(response, whole);
    this.#check();
    void this.#askProcesses();
  }

  /** Adds an event about all processes. */
  note(text: string): void {
    this.#log.addRestart(text);
  }

  /** Adds an event about what failed. */
  noteError(subject: string, text: string): void {
    this.#log.addError(subject, text);
  }

  #arm(): void {
    this.#cancelTick = this.#options.clock.after(this.#options.interval, () => {
      this.#arm();
      this.#sampler.take();
      this.#check();
      void this.#askProcesses();
      this.#send();
    });
  }

  #tellSoon(): void {
    if (this.#viewers.size === 0 || this.#cancelTell !== null) return;
    this.#cancelTell = this.#options.clock.after(GATHER_MS, () => {
      this.#send();
      this.#check();
    });
  }

  #send(): void {
    this.#cancelTell?.();
    this.#cancelTell = null;
    if (this.#viewers.size === 0) return;
    this.#viewers.send(JSON.stringify(this.#view(this.#told, false), messageReplacer()));
    this.#noteTold();
  }

  #noteTold(): void {
    this.#told = { event: this.#log.history.lastId, sample: this.#sampler.history.lastId };
  }

  #view(told: { readonly event: number; readonly sample: number }, full: boolean): PageView {
    const { clock, events, samples, interval } = this.#options;
    return {
      full,
      now: clock.now(),
      keeps: { events, samples, intervalMs: interval },
      ...pageState(this.#sources, this.#noteFailure),
      health: this.#health,
      processes: this.#processes,
      events: this.#log.history.since(told.event),
      samples: this.#sampler.history.since(told.sample),
    };
  }

  /** An event for the first failure of each source. */
  readonly #noteFailure: OnSourceFailure = (source, what, error) => {
    const about = `${source} ${what}`;
    if (this.#failed.has(about)) return;
    this.#failed.add(about);
    this.#log.addError(source, `its ${what} cannot be read: ${thrownText(error)}`);
  };

  /** Runs the checks if there are viewers and the last run is long enough ago. */
  #check(): void {
    const now = this.#options.clock.now();
    // Also if the wall clock was set back.
    const isDue = Math.abs(now - this.#checkedAt) >= this.#options.checkInterval;
    if (this.#viewers.size === 0 || !isDue) return;
    this.#checkedAt = now;
    void this.#runChecks();
  }

  /** Sent with the next message. */
  async #askProcesses(): Promise<void> {
    if (this.#viewers.size === 0) return;
    const wasKnown = this.#processes !== null;
    try {
      const processes = await this.#sources.processes();
      this.#processes = processes.length === 0 ? null : processes;
    } catch {
      // The parent has ended, and this process is about to.
      this.#processes = null;
    }
    if (!wasKnown && this.#processes !== null) this.#tellSoon();
  }

  async #runChecks(): Promise<void> {
    this.#health = await healthView(this.#sources.health());
    this.#tellSoon();
  }
}
