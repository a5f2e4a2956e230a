import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The program of axe-core. */
export function readAxe(): string {
  return readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
}

/** What axe-core finds on a page as it is now. */
export async function violationsOf(page: Page, axe: string): Promise<readonly string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate<readonly Violation[]>(
    'axe.run(document).then(({ violations }) => violations)',
  );
  return violations.map(({ id, nodes }) => {
    const [first, second, third] = nodes.map(({ html }) => html.slice(0, 160));
    return `${id}: ${[first, second, third].filter(Boolean).join(' … ')}`;
  });
}
