import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPages } from '../docs/pages.js';
import { homePages } from './home.js';
import { licencePage } from './licence.js';
import { referencePages } from './reference/reference-pages.js';
import type { SiteDocument } from './site-document.js';
import { withSiteLinks } from './site-links.js';
import { sitePathOf } from './site-paths.js';

/** All pages of the site: those of the repository, and the API. */
export function documentsOf(
  root: string,
  slogan: string,
  repository: string | undefined,
): SiteDocument[] {
  const pages = allPages(root);
  const targets = { pages: new Set(pages), repository };
  const documents = pages.map((page) => {
    const text = withSiteLinks(page, readFileSync(join(root, page), 'utf8'), targets);
    return { path: sitePathOf(page), text };
  });
  const decisions = documents.map(({ path }) => path).filter((path) => /^decisions\/\d/.test(path));
  const withHome = documents.flatMap((document) =>
    document.path === 'index.md' ? homePages(document, slogan, documents) : [document],
  );
  return [...withHome, licencePage(root), ...referencePages(root, decisions)];
}
