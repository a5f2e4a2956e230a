/** What the search knows of one place of a page: an entry of its index. */
export interface SearchSection {
  /** Id of the place in the page. */
  readonly anchor: string;
  /** Headings from the page's to the place's own, as HTML without tags. */
  readonly titles: readonly string[];
  /** What is searched besides the titles. */
  readonly text: string;
}

/** Begins the ids of named places: `namedPlaces` of `site/.vitepress` writes them. */
const NAMED = /(?=<(?:tr|p|li) [^>]*?\bid="at-)/;
const HEADING = /<h([1-6])[^>]*?\sid="([^"]*)"[^>]*>(.*?)<a class="header-anchor".*?<\/a><\/h\1>/gs;

/** Where the last place of a table or a list ends. A paragraph's ends at the next place. */
const ENDS: Readonly<Record<string, RegExp>> = { tr: /<\/table>/, li: /<\/[uo]l>/, p: /$/ };

/**
 * The places of a page that a search leads to: its headings, rows of tables that begin with code, such
 * as options and messages of errors, and paragraphs and list items that begin in bold.
 *
 * @param html of the page's Markdown, with ids of named places.
 */
export function searchSections(html: string): SearchSection[] {
  const [, ...parts] = html.split(HEADING);
  const parents: string[] = [];
  const sections: SearchSection[] = [];
  for (let index = 0; index < parts.length; index += 4) {
    const [level = '1', anchor = '', title = '', content = ''] = parts.slice(index, index + 4);
    parents.length = Number(level) - 1;
    parents.push(withoutTags(title));
    sections.push(...placesOf(anchor, parents.filter(Boolean), content));
  }
  return sections;
}

/** A section, without the named places in it, and those. */
function placesOf(anchor: string, titles: readonly string[], content: string): SearchSection[] {
  const [own = '', ...pieces] = content.split(NAMED);
  let rest = own;
  const places = pieces.map((piece) => {
    const [, tag = 'p', id = ''] = /^<(\w+) [^>]*?\bid="([^"]*)"/.exec(piece) ?? [];
    const end = piece.search(ENDS[tag]!);
    const text = end === -1 ? piece : piece.slice(0, end);
    rest += piece.slice(text.length);
    return { anchor: id, titles: [...titles, nameOf(text)], text: wordsIn(text) };
  });
  return [{ anchor, titles, text: wordsIn(rest) }, ...places];
}

/** The first cell of a row, or the words in bold. */
function nameOf(place: string): string {
  const [, cell, bold] = /<td[^>]*>(.*?)<\/td>|<strong>(.*?)<\/strong>/s.exec(place) ?? [];
  return withoutTags(cell ?? bold ?? '').replace(/[.:]$/, '');
}

function wordsIn(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#?\w+;/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function withoutTags(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '').trim();
}
