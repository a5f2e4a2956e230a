import type { Numbered, SectionId, SectionViews } from './section-views.js';

/**
 * The JSON that the page receives in each event of its stream. Times are in milliseconds since
 * the epoch, by the clock of the server, and durations in milliseconds.
 */
export interface PageView {
  /** Whether `events` and `samples` are all kept entries, or only those not sent before. */
  readonly full: boolean;
  readonly now: number;
  readonly keeps: KeptView;
  readonly process: ProcessView;
  readonly host: HostView;
  /** Null until the first checks are done. */
  readonly health: HealthView | null;
  readonly events: readonly Numbered<PageEvent>[];
  readonly samples: readonly Numbered<Sample>[];
  /** The tabs for which the app has a source. */
  readonly tabs: readonly SectionId[];
  /** The data of the tab that the viewer has open, and of no other. */
  readonly sections: Partial<SectionViews>;
}

/** How much history there is to draw. */
export interface KeptView {
  readonly events: number;
  readonly samples: number;
  /** The time between two samples. */
  readonly intervalMs: number;
}

export interface ProcessView {
  readonly pid: number;
  /** Such as `v22.11.0`. */
  readonly node: string;
  readonly startedAt: number;
}

export interface HostView {
  /** A `HostPhase`. This file imports nothing: the page's script has no types of Node. */
  readonly phase: string;
  readonly since: number;
  readonly environment: string;
  readonly reason?: string | undefined;
}

export interface HealthView {
  readonly isReady: boolean;
  readonly checks: readonly { readonly name: string; readonly outcome: string }[];
}

/** An event that was reported to an observer of the host. */
export interface PageEvent {
  readonly at: number;
  readonly level: 'information' | 'warning' | 'error';
  /** The service or task it is about, or `host`. */
  readonly subject: string;
  readonly text: string;
  /** Set for events that the plots show: a restart of a service, a reload, and the host's start or the start of its drain. */
  readonly mark?: 'restart' | 'reload' | 'start' | 'drain' | undefined;
}

/** The process at one moment; the delays are those since the sample before. */
export interface Sample {
  readonly at: number;
  /** Bytes. */
  readonly rss: number;
  /** Bytes. */
  readonly heapUsed: number;
  readonly delayMedianMs: number;
  readonly delayMaxMs: number;
}
