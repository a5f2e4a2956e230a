import { posix } from 'node:path';
import { descriptionOf, type SiteDocument, titleOf } from './site-document.js';

/** Sections of `llms.txt`, each with the pages that it has. */
const SECTIONS: readonly (readonly [string, RegExp])[] = [
  ['Start', /^(?:index|getting-started|compared|compatibility|nest-11|migrating-[\w-]+)\.md$/],
  ['Guides', /^guides\/(?!index)/],
  ['Recipes', /^recipes\/(?!index)/],
  ['Packages', /^packages\//],
  ['Reference', /^(?:architecture|errors|global-prefix|gateway-[\w-]+|supply-chain|tests)\.md$/],
  ['API', /^api\/[^/]+\//],
  ['Optional', /^(?:changelog|history|contributing|security|licence|decisions\/index)\.md$/],
];

/** What the pages of a section list themselves. */
const LISTED_ELSEWHERE = /^decisions\/\d|^(?:guides|recipes|api)\/index\.md$/;

/** Not in `llms-full.txt`: what reads it can fetch them, and they are most of the site. */
const ON_DEMAND = ['API', 'Optional'];

/**
 * `llms.txt` in the form of llmstxt.org: what there is, by sections, with links to Markdown.
 *
 * @param base of the site, as in `https://example.org/apix/` or `/`.
 * @throws for a page that no section has.
 */
export function llmsIndex(
  documents: readonly SiteDocument[],
  slogan: string,
  base: string,
): string {
  const patterns = [LISTED_ELSEWHERE, ...SECTIONS.map(([, pattern]) => pattern)];
  const forgotten = documents.find(({ path }) => !patterns.some((pattern) => pattern.test(path)));
  if (forgotten !== undefined)
    throw new Error(`site: no section of llms.txt has ${forgotten.path}`);
  const sections = SECTIONS.map(([name, pattern]) => {
    const lines = documents
      .filter(({ path }) => pattern.test(path))
      .map((page) => {
        const about = descriptionOf(page);
        return `- [${titleOf(page)}](${base}${page.path})${about === '' ? '' : `: ${about}`}`;
      });
    return `## ${name}\n\n${lines.join('\n')}\n`;
  });
  return [`# apix\n\n> ${slogan}\n`, ...sections].join('\n');
}

/** `llms-full.txt`: the pages for users in one file, each after a line with its path. */
export function llmsFull(documents: readonly SiteDocument[], base: string): string {
  const patterns = SECTIONS.filter(([name]) => !ON_DEMAND.includes(name)).map(([, it]) => it);
  return patterns
    .flatMap((pattern) => documents.filter(({ path }) => pattern.test(path)))
    .map((page) => `<!-- ${base}${page.path} -->\n\n${fromRoot(page, base).trim()}\n`)
    .join('\n');
}

const LINK = /\]\((?![a-z][a-z+.-]*:|#|\/)([^()\s]+)\)/g;
const FENCED = /(^```[^]*?^```$)/m;

/** The text of a page with links that hold wherever it is read. */
function fromRoot({ path, text }: SiteDocument, base: string): string {
  return text
    .split(FENCED)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(
            LINK,
            (_, link: string) => `](${base}${posix.join(posix.dirname(path), link)})`,
          ),
    )
    .join('');
}
