import ts from 'typescript';

/** Finds the page of a name that a docstring links to; undefined where the site has none. */
export type FindName = (name: string) => string | undefined;
/** Finds the page of a decision by its number. */
export type FindDecision = (number: string) => string | undefined;

export interface Finders {
  readonly name: FindName;
  readonly decision: FindDecision;
}

const LINK = /\{@link\s+([\w.#]+)(?:\s*\|\s*|\s+)?([^}]*)\}/g;
const DECISION = /docs\/decisions\/(\d{4})(?:-[\w-]+(?:\.md)?)?/g;

/** The docstring of a symbol as Markdown; empty for none. */
export function docstringOf(symbol: ts.Symbol, checker: ts.TypeChecker, find: Finders): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return asMarkdown(text, find);
}

const HEADINGS: Readonly<Record<string, string>> = {
  throws: 'Throws',
  returns: 'Returns',
  deprecated: 'Deprecated',
};

/** The tags of a docstring as a list: parameters, result, errors. */
export function tagsOf(symbol: ts.Symbol, checker: ts.TypeChecker, find: Finders): string {
  const lines = symbol.getJsDocTags(checker).flatMap(({ name, text }) => {
    const said = ts.displayPartsToString(text).trim();
    if (said === '') return [];
    if (name === 'param') {
      const [, parameter = '', about = ''] = /^(\S+)\s*-?\s*([^]*)$/.exec(said) ?? [];
      return about === '' ? [] : [`- \`${parameter}\`: ${asMarkdown(inline(about), find)}`];
    }
    const heading = HEADINGS[name];
    return heading === undefined ? [] : [`- ${heading} ${asMarkdown(inline(said), find)}`];
  });
  return [...new Set(lines)].join('\n');
}

function inline(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Text of a docstring: its links lead to pages, and what is no code is no HTML. */
export function asMarkdown(text: string, find: Finders): string {
  return text
    .split(/(```[^]*?```|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : prose(part, find)))
    .join('')
    .trim();
}

function prose(text: string, find: Finders): string {
  return text
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll(LINK, (_, name: string, label: string) => {
      const shown = label.trim() === '' ? `\`${name}\`` : label.trim();
      const page = find.name(name.split(/[.#]/, 1)[0]!);
      return page === undefined ? shown : `[${shown}](${page})`;
    })
    .replaceAll(DECISION, (mention, number: string) => {
      const page = find.decision(number);
      return page === undefined ? mention : `[decision ${number}](${page})`;
    });
}
