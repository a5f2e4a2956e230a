import type { SectionId, SectionViews } from '../section-views.js';

/**
 * The server's part of one tab: its data, computed only while a viewer has that tab open. The page hides a tab whose
 * section is absent.
 */
export interface PageSection<Id extends SectionId = SectionId> {
  readonly id: Id;
  /** Whether the app has a source for it. Default: always. */
  isPresent?(): boolean;
  /**
   * The data of the tab, for each message.
   *
   * @param full whether everything that is kept is wanted, or only what is new since the last call. A section
   *   without a history ignores it.
   */
  view(full: boolean): SectionViews[Id];
  /** Called at each interval while the tab is open, and for each new viewer of the page; never rejects. */
  refresh?(): Promise<void>;
  /** Called when the first viewer opens the tab; returns what to call when the last one has left it. */
  watch?(): () => void;
  /** The JSON for `GET <id>/<name>` next to the page; undefined if there is none. */
  item?(name: string, query: URLSearchParams): Promise<string | undefined> | string | undefined;
}
