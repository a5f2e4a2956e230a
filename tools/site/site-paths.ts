import { posix } from 'node:path';

const NAMES: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
};

/** Where a page of the repository is on the site: `libs/authz/README.md` is `packages/authz.md`. */
export function sitePathOf(page: string): string {
  const [folder = '', ...rest] = page.split('/');
  const path = rest.join('/');
  if (folder === 'docs') return path.replace(/(^|\/)README\.md$/, '$1index.md');
  if (folder === 'libs') return `packages/${path.replace(/\/README\.md$/, '.md')}`;
  return NAMES[page] ?? page.toLowerCase();
}

/** From one page of the site to another, or to one of its files. */
export function relativeLink(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}
