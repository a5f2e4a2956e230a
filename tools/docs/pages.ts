import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const AT_THE_TOP = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Every page, decisions too: paths from the root of the repository. */
export function allPages(root: string): string[] {
  const top = readdirSync(root).filter((file) => AT_THE_TOP.includes(file));
  return [...top, ...markdownIn(root, 'docs'), ...markdownIn(root, 'libs')];
}

/** Pages for users: what a decision shows belongs to its day. */
export function pagesForUsers(root: string): string[] {
  return allPages(root).filter((page) => !page.startsWith('docs/decisions/'));
}

function markdownIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !/node_modules|\/(?:dist|api)\//.test(file))
    .toSorted();
}
