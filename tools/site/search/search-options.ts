import { searchSections } from './search-sections.js';
import { searchWords } from './search-words.js';

/** Pages that the search leaves out: why something is as it is, what it was before, and how to work on it. */
const NOT_SEARCHED = /^(?:decisions\/|(?:history|changelog|contributing|licence)\.md$)/;

/** Whether the search knows a page: a path of the site as Markdown. */
export function isSearched(path: string): boolean {
  return !NOT_SEARCHED.test(path);
}

/** What the index keeps of a place besides its words. */
interface StoredFields {
  /** Headings above its own. */
  readonly titles: readonly string[];
}

/**
 * How the search of the site splits, finds and orders, for MiniSearch. Functions without an
 * underscore run in browsers as their own source: they use nothing from around them.
 */
export const SEARCH = {
  options: { processTerm: searchWords },
  searchOptions: {
    boost: { title: 4, titles: 1, text: 2 },
    // In a short word another letter makes another word: cors, cores.
    fuzzy: (term: string): number | false => (term.length > 5 ? 0.2 : false),
    prefix: true,
    // Pages that say how to do something come before those that list what there is.
    boostDocument: (id: string, _term: string, stored?: StoredFields): number => {
      const [, page = ''] = /([^/]+)\.html/.exec(id) ?? [];
      if (id.includes('/api/')) return 0.1;
      if (/^(?:errors|tests|architecture|gateway-\w+|migrating-.+)$/.test(page)) return 0.3;
      if (/#at-/.test(id)) return 0.8;
      return stored?.titles.length === 0 ? 1.5 : 1;
    },
  },
  _splitIntoSections: (_file: string, html: string) => searchSections(html),
};
