import type { ServerResponse } from 'node:http';
import { thrownText } from '@apix/contracts';
import { messageReplacer } from '@apix/contracts/internal';
import type { Observer } from '@apix/hostx';
import type { HealthReport } from '@apix/hostx/core';
import { EventLog } from './event-log.js';
import type { ResolvedHostPage } from './host-page-options.js';
import { type FrameSources, frameView, healthView } from './frame.js';
import type { HealthView, PageView } from './page-view.js';
import type { ProcessRow } from './section-views.js';
import { ProcessSampler } from './process-sampler.js';
import { OpenSections } from './sections/open-sections.js';
import type { OnSourceFailure } from './sections/read-each-source.js';
import type { PageSection } from './sections/section.js';
import { Viewers } from './viewers.js';

/** Events within this time, in milliseconds, are sent in one message. */
const GATHER_MS = 50;

/** Keeps the page's histories, and sends new entries to the viewers. */
export class PageFeed {
  readonly #options: ResolvedHostPage;
  readonly #frame: FrameSources;
  readonly #log: EventLog;
  readonly #sampler: ProcessSampler;
  readonly #viewers: Viewers;
  readonly #failed = new Set<string>();
  #told = { event: 0, sample: 0 };
  #health: HealthView | null = null;
  #sections: OpenSections;
  #checkedAt = -Infinity;
  #cancelTick: (() => void) | null = null;
  #cancelTell: (() => void) | null = null;

  constructor(options: ResolvedHostPage, frame: FrameSources) {
    const { clock } = options;
    this.#options = options;
    this.#frame = frame;
    this.#log = new EventLog(options.events, clock);
    this.#sampler = new ProcessSampler(options.samples, clock);
    this.#viewers = new Viewers(options.viewers, clock);
    this.#sections = this.#sectionsOf([]);
    this.#viewers.onLeave = () => this.#follow();
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
  start(sections: readonly PageSection[]): void {
    this.#sections = this.#sectionsOf(sections);
    this.#sampler.start(this.#viewers.size > 0);
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

  /** Answers with a stream of views for a tab: first everything that is kept, then what is new. */
  view(response: ServerResponse, tab: string): void {
    // The next message is for all viewers, and must not repeat what this one gets.
    this.#send();
    const whole = this.#message(tab, true);
    this.#noteTold();
    this.#viewers.add(response, whole, tab);
    this.#follow();
    this.#check();
    void this.#refresh(true);
  }

  /** The section of a tab; undefined if it is absent or there is no such tab. */
  section(tab: string): PageSection | undefined {
    return this.#sections.find(tab);
  }

  /** Adds an event about all processes. */
  noteRestart(text: string): void {
    this.#log.addRestart(text);
  }

  /** Adds an event about what a viewer has done. */
  note(subject: string, text: string): void {
    this.#log.addNote(subject, text);
  }

  /** Adds an event about what failed. */
  noteError(subject: string, text: string): void {
    this.#log.addError(subject, text);
  }

  /** Adds an event about a process of the app that ended by itself. */
  readonly noteCrash = ({ index, since, restarts, lastEnd }: ProcessRow): void => {
    const text = `${lastEnd ?? 'ended'}; restart ${restarts}`;
    this.#log.addCrash(`process ${index}`, text, since);
  };

  /** Adds an event about each check that fails or passes unlike before. */
  noteChecks(report: HealthReport): void {
    this.#log.addChecks(report);
  }

  /** Follows what somebody looks at, and nothing else. */
  #follow(): void {
    this.#sections.follow();
    if (this.#cancelTick !== null) this.#sampler.start(this.#viewers.size > 0);
  }

  #arm(): void {
    this.#cancelTick = this.#options.clock.after(this.#options.interval, () => {
      this.#arm();
      this.#sampler.take();
      this.#check();
      void this.#refresh(false);
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
    this.#viewers.send((tab) => this.#message(tab, false));
    this.#noteTold();
  }

  #noteTold(): void {
    this.#told = { event: this.#log.history.lastId, sample: this.#sampler.history.lastId };
  }

  #message(tab: string, full: boolean): string {
    const { clock, events, samples, interval } = this.#options;
    const told = full ? { event: 0, sample: 0 } : this.#told;
    const view: PageView = {
      full,
      now: clock.now(),
      keeps: { events, samples, intervalMs: interval },
      ...frameView(this.#frame),
      health: this.#health,
      tabs: this.#sections.present,
      sections: this.#sections.view(tab, full),
      events: this.#log.history.since(told.event),
      samples: this.#sampler.history.since(told.sample),
    };
    return JSON.stringify(view, messageReplacer());
  }

  /** An event for the first failure of each source. */
  readonly noteFailure: OnSourceFailure = (source, what, error) => {
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

  async #refresh(all: boolean): Promise<void> {
    if (this.#viewers.size > 0 && (await this.#sections.refresh(all))) this.#tellSoon();
  }

  #sectionsOf(sections: readonly PageSection[]): OpenSections {
    return new OpenSections(sections, (tab) => this.#viewers.see(tab));
  }

  async #runChecks(): Promise<void> {
    this.#health = await healthView(this.#frame.health());
    this.#tellSoon();
  }
}
