import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The program of axe-core, which `site/` installs. */
export function readAxe(root: string): string {
  return readFileSync(join(root, 'site/node_modules/axe-core/axe.min.js'), 'utf8');
}

/** What axe-core finds on a page as it is now. */
export async function violationsOf(page: Page, axe: string): Promise<readonly string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate<readonly Violation[]>(
    'axe.run(document).then(({ violations }) => violations)',
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html.slice(0, 160))
        .slice(0, 3)
        .join(' … ')}`,
  );
}
