import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteDocument } from './site-document.js';

/** Path of the licence on the site, as Markdown. */
export const LICENCE = 'licence.md';

/** The licence of the packages as a page of the site. */
export function licencePage(root: string): SiteDocument {
  const text = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  return {
    path: LICENCE,
    text: `# Licence\n\nApache License 2.0, for all packages.\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  };
}
