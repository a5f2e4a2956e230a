import { type SiteDocument, titleOf } from './site-document.js';

/** An entry of a sidebar, in the form of the site's generator. */
export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
}

/** By the beginning of a path. */
export type Sidebars = Readonly<Record<string, readonly SidebarItem[]>>;

const START = ['getting-started', 'guides/existing-app', 'compared', 'compatibility', 'nest-11'];
const REFERENCE = ['architecture', 'errors', 'global-prefix', 'gateway-metadata'];
const ABOUT = [
  'tests',
  'gateway-differences',
  'changelog',
  'history',
  'contributing',
  'security',
  'licence',
];
const LISTED = /\]\(([\w./-]+\.md)\)/g;

/** The sidebars of the site: decisions and the API have their own. */
export function sidebarsOf(documents: readonly SiteDocument[]): Sidebars {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const item = (path: string): SidebarItem => ({
    text: titleOf(documentAt(byPath, `${path}.md`)),
    link: `/${path}`,
  });
  const guides = listed(byPath, 'guides', START);
  const placed = [...START, ...guides, ...REFERENCE, ...ABOUT, 'index'];
  const others = documents
    .map(({ path }) => path.replace(/\.md$/, ''))
    .filter((path) => !path.includes('/') && !placed.includes(path));
  const packages = documents.filter(({ path }) => path.startsWith('packages/'));
  return {
    '/': [
      { text: 'Start', items: START.map(item) },
      { text: 'Guides', items: guides.map(item) },
      { text: 'Recipes', items: listed(byPath, 'recipes', []).map(item) },
      { text: 'Packages', items: packages.map(({ path }) => item(path.replace(/\.md$/, ''))) },
      { text: 'Reference', items: [...REFERENCE.map(item), { text: 'API', link: '/api/' }] },
      {
        text: 'About',
        items: [...[...others, ...ABOUT].map(item), { text: 'Decisions', link: '/decisions/' }],
      },
    ],
    '/api/': apiItems(documents),
    '/decisions/': [{ text: 'Decisions', link: '/decisions/', items: decisions(documents) }],
  };
}

/** The pages of a folder in the order of its index, and those from elsewhere that it lists. */
function listed(
  byPath: ReadonlyMap<string, SiteDocument>,
  folder: string,
  without: readonly string[],
): string[] {
  const { text } = documentAt(byPath, `${folder}/index.md`);
  const paths = [...text.matchAll(LISTED)].map(([, link]) =>
    new URL(link!, `file:///${folder}/`).pathname.slice(1).replace(/\.md$/, ''),
  );
  const missing = [...byPath.keys()].filter(
    (path) =>
      path.startsWith(`${folder}/`) &&
      path !== `${folder}/index.md` &&
      !paths.includes(path.replace(/\.md$/, '')),
  );
  if (missing.length > 0) throw new Error(`site: ${folder}/index.md does not list ${missing[0]}`);
  return paths.filter((path) => !without.includes(path) && !path.endsWith('/index'));
}

function apiItems(documents: readonly SiteDocument[]): SidebarItem[] {
  const pages = documents.filter(({ path }) => /^api\/[^/]+\/[^/]+\.md$/.test(path));
  const folders = [...new Set(pages.map(({ path }) => path.split('/')[1]!))];
  return folders.map((folder) => ({
    text: `@apix/${folder}`,
    items: pages
      .filter(({ path }) => path.startsWith(`api/${folder}/`))
      .map((page) => ({ text: titleOf(page), link: `/${page.path.replace(/(index)?\.md$/, '')}` })),
  }));
}

function decisions(documents: readonly SiteDocument[]): SidebarItem[] {
  return documents
    .filter(({ path }) => /^decisions\/\d/.test(path))
    .map((page) => ({ text: titleOf(page), link: `/${page.path.replace(/\.md$/, '')}` }));
}

function documentAt(byPath: ReadonlyMap<string, SiteDocument>, path: string): SiteDocument {
  const document = byPath.get(path);
  if (document === undefined) throw new Error(`site: there is no page ${path}`);
  return document;
}
