import { posix } from 'node:path';
import { partAt } from './home.js';
import { LICENCE } from './licence.js';
import { relativeLink, sitePathOf } from './site-paths.js';

/** What the links of a page may lead to. */
export interface LinkTargets {
  /** Pages of the repository that the site has: paths from its root. */
  readonly pages: ReadonlySet<string>;
  /** Where files of the repository can be looked at; without it, links to them become text. */
  readonly repository?: string | undefined;
}

const FENCED = /(^```[^]*?^```$)/m;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\]|!\[[^\]]*\]\([^)]*\))*)\]\(([^()\s]+)\)/g;
const REFERENCE = /^\[([^\]]+)\]: (\S+)$/gm;
const ELSEWHERE = /^(?:[a-z][a-z+.-]*:|#)/;

/** The text of a page of the repository with its links as they have to be on the site. */
export function withSiteLinks(page: string, text: string, targets: LinkTargets): string {
  return text
    .split(FENCED)
    .map((part, index) => (index % 2 === 1 ? part : rewritten(page, part, targets)))
    .join('');
}

function rewritten(page: string, text: string, targets: LinkTargets): string {
  return text
    .replaceAll(LINK, (link, image: string, label: string, reference: string) => {
      if (ELSEWHERE.test(reference)) return link;
      const target = targetOf(page, reference, targets);
      const shown = image === '' ? rewritten(page, label, targets) : label;
      return target === undefined ? shown : `${image}[${shown}](${target})`;
    })
    .replaceAll(REFERENCE, (line, label: string, reference: string) => {
      if (ELSEWHERE.test(reference)) return line;
      const target = targetOf(page, reference, targets);
      if (target !== undefined) return `[${label}]: ${target}`;
      throw new Error(`${page}: write the link to ${reference} where it is used`);
    });
}

function targetOf(page: string, reference: string, targets: LinkTargets): string | undefined {
  const [path = '', anchor] = reference.split('#');
  const file = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '');
  const from = sitePathOf(page);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const part = file === 'README.md' && anchor !== undefined ? partAt(anchor) : undefined;
  if (part !== undefined) return relativeLink(from, part);
  for (const candidate of [file, `${file}/README.md`]) {
    if (targets.pages.has(candidate)) return relativeLink(from, sitePathOf(candidate)) + hash;
  }
  if (file === 'LICENSE') return relativeLink(from, LICENCE);
  if (file.startsWith('docs/images/')) return `./${relativeLink(from, sitePathOf(file))}`;
  return targets.repository === undefined ? undefined : `${targets.repository}/${file}${hash}`;
}
