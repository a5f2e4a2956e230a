import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { withoutBlocks } from './code-blocks.js';

const LINK = /\]\(([^()\s]+)\)|^\[[^\]]+\]: (\S+)$/gm;
const ELSEWHERE = /^[a-z][a-z+.-]*:/;

/** Links of a page that lead to no file of the repository, or to no heading of it. */
export function linkMistakes(root: string, page: string): string[] {
  const text = withoutBlocks(readFileSync(join(root, page), 'utf8'));
  return [...text.matchAll(LINK)]
    .map(([, inline, reference]) => inline ?? reference!)
    .filter((link) => !ELSEWHERE.test(link) && !leadsSomewhere(root, page, link))
    .map((link) => `${page}: nothing is at ${link}`);
}

function leadsSomewhere(root: string, page: string, link: string): boolean {
  const [path = '', anchor] = decodeURI(link).split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  const file = join(root, target);
  if (target.startsWith('..') || !existsSync(file)) return false;
  if (anchor === undefined) return true;
  return !statSync(file).isDirectory() && anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

/** Anchors that GitHub gives the headings of a page: a heading that comes again gets a number. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutBlocks(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) => {
    const slug = heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}
