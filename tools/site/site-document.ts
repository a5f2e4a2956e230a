/** A page of the site. */
export interface SiteDocument {
  /** Path on the site, as Markdown: `guides/systemd.md`. */
  readonly path: string;
  /** The page as Markdown, as it is also served. */
  readonly text: string;
  /** What the site's generator gets, where that is not `text`. */
  readonly source?: string;
}

/** The first heading of a page, without marks. */
export function titleOf({ path, text }: SiteDocument): string {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`site: ${path} has no heading`);
  return inOneLine(title);
}

/** The first paragraph of a page in one line without marks; empty where it begins otherwise. */
export function descriptionOf({ text }: SiteDocument): string {
  const [, after = ''] = text.split(/^# .+$/m, 2);
  const [first = ''] = after
    .replace(/^\s*Date: \S+\n/, '')
    .trimStart()
    .split('\n\n');
  return /^(?:```|<!--|\||#|[-*] |\d+\. |!\[)/.test(first) ? '' : inOneLine(first);
}

/** Markdown of a paragraph as one line of text, without marks. */
export function inOneLine(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
