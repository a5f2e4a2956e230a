import type { PageView } from '../../src/page-view.js';
import type { SectionId, SectionViews } from '../../src/section-views.js';

/**
 * The page's part of one tab. Its markup is in `panel.html` in the same folder, as an element with the id
 * `panel-<id>`, and its styles, if it has its own, in `style.css`.
 */
export interface PageTab<Id extends SectionId = SectionId> {
  readonly id: Id;
  /** The text of the tab. */
  readonly title: string;
  /** Called once, before there is any data. */
  mount(page: TabPage): MountedTab<Id>;
  /** Adds what is new to what is known. Default: the new data replaces it. */
  merge?(known: SectionViews[Id], next: SectionViews[Id]): SectionViews[Id];
}

/** What a tab may use of the page. */
export interface TabPage {
  /** The folder of the page, below which the items of the tab are. */
  readonly base: URL;
  /** The current time by the clock of the server, in milliseconds since the epoch. */
  now(): number;
  /** The latest view, with what it has of the tab; null before the first. */
  latest(): PageView | null;
  /** Writes the parameters of the tab into the address, without a new entry in the history; empty ones are left out. */
  setParams(params: Readonly<Record<string, string>>): void;
}

/** A tab in the document. */
export interface MountedTab<Id extends SectionId = SectionId> {
  /** Called with each message while the tab is open and updates are not paused. */
  show(section: SectionViews[Id], view: PageView): void;
  /** Called each second, for what depends on the current time. */
  tick?(section: SectionViews[Id], view: PageView): void;
  /** Called when the tab is opened, with the parameters of the address, such as those of `#/logs?level=warn`. */
  open?(params: URLSearchParams): void;
}
