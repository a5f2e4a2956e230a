/** A tab and its parameters, as they are in the fragment of the address. */
export interface TabRoute {
  readonly tab: string;
  readonly params: URLSearchParams;
}

/** Reads a fragment such as `#/logs?level=warn`; anything else is the first tab. */
export function readRoute(hash: string, tabs: readonly string[]): TabRoute {
  const [, tab = '', query = ''] = /^#\/([\w-]*)(?:\?(.*))?$/.exec(hash) ?? [];
  return tabs.includes(tab)
    ? { tab, params: new URLSearchParams(query) }
    : { tab: tabs[0] ?? '', params: new URLSearchParams() };
}

/** The fragment of a tab; parameters without a value are left out. */
export function hashOf(tab: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ''));
  return query.size === 0 ? `#/${tab}` : `#/${tab}?${query.toString()}`;
}
