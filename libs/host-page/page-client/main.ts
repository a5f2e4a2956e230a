import type { PageView } from '../src/page-view.js';
import { byId } from './elements.js';
import { Frame } from './frame.js';
import { merged } from './model.js';
import { TabList } from './tab-list.js';
import { hashOf, readRoute } from './tab-route.js';
import { ALL_TABS } from './tabs/all-tabs.js';
import type { MountedTab, PageTab } from './tabs/tab.js';
import { STREAM_BROWSER, ViewStream } from './view-stream.js';

/** How often displayed durations are updated between two messages, in milliseconds. */
const TICK_MS = 1_000;
const IDS = ALL_TABS.map(({ id }) => id);

let view: PageView | null = null;
/** By how much the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0;
/** Whether nothing has been shown since the tab was opened: that is shown even if updates are paused. */
let isFirst = true;
let { tab: openTab } = readRoute(location.hash, IDS);

const base = new URL('.', (document.currentScript as HTMLScriptElement).src);
const now = (): number => Date.now() + ahead;
const mounted = new Map<string, MountedTab & Pick<PageTab, 'id'>>(
  ALL_TABS.map((tab) => {
    const { id } = tab;
    const setParams = (params: Readonly<Record<string, string>>): void =>
      history.replaceState(null, '', hashOf(id, params));
    return [id, { id, ...tab.mount({ base, now, latest: () => view, setParams }) }];
  }),
);
const list = new TabList(byId('tabs'), ALL_TABS);
const frame = new Frame(now, () => {
  if (!frame.isPaused) show();
  frame.showConnection(view, stream.link);
});
const stream = new ViewStream(streamOf(openTab), STREAM_BROWSER, take, () =>
  frame.showConnection(view, stream.link),
);
open();
addEventListener('hashchange', open);
setInterval(() => {
  // Without a connection it is not known whether the displayed states still last.
  if (view !== null && stream.link === 'live' && !frame.isPaused) {
    frame.showSummary(view);
    const [tab, section] = shownTab(view);
    if (section !== undefined) tab.tick?.(section, view);
  }
  frame.showConnection(view, stream.link);
}, TICK_MS);

function streamOf(tab: string): URL {
  return new URL(`stream?tab=${tab}`, base);
}

/** Opens the tab that the address names. */
function open(): void {
  const { tab, params } = readRoute(location.hash, IDS);
  isFirst = openTab !== tab || view === null;
  openTab = tab;
  mounted.get(tab)!.open?.(params);
  stream.follow(streamOf(tab));
  showTabs();
  if (!frame.isPaused) show();
}

function take(next: PageView): void {
  ahead = next.now - Date.now();
  frame.note(view, next);
  view = merged(view, next, ALL_TABS);
  if (!frame.isPaused || (isFirst && next.full)) {
    isFirst = false;
    show();
  }
  frame.showConnection(view, stream.link);
}

function show(): void {
  if (view === null) return;
  showTabs();
  frame.show(view);
  const [tab, section] = shownTab(view);
  if (section !== undefined) tab.show(section, view);
}

function shownTab(view: PageView) {
  const tab = mounted.get(openTab)!;
  return [tab, view.sections[tab.id]] as const;
}

function showTabs(): void {
  const present: readonly string[] = view?.tabs ?? [];
  list.show(openTab, present);
  for (const id of IDS) byId(`panel-${id}`).hidden = id !== openTab;
  byId('absent').hidden = view === null || present.includes(openTab);
}
