import { anchorsOf } from '../docs/links.js';
import { descriptionOf, inOneLine, type SiteDocument } from './site-document.js';

const ACTIONS = [
  { theme: 'brand', text: 'Getting started', link: '/getting-started' },
  { theme: 'alt', text: 'Comparison', link: '/compared' },
  { theme: 'alt', text: 'Guides', link: '/guides/' },
  { theme: 'alt', text: 'Recipes', link: '/recipes/' },
];

/** Packages whose first sentences are shown on the first page: one for each family. */
const FAMILIES = ['authz', 'logx', 'hostx'];

/** Sections of the README that are pages of their own, so that the first page stays short. */
const PARTS = [
  { heading: 'Compared', path: 'compared.md', title: 'Comparison' },
  { heading: 'Tests', path: 'tests.md', title: 'What is tested' },
];

/** Sections that the menus of the site replace. */
const IN_MENUS = ['Documentation', 'Work on it', 'Licence'];

/** The page that a section of the README is, by the section's anchor. */
export function partAt(anchor: string): string | undefined {
  return PARTS.find(({ heading }) => anchorsOf(`# ${heading}`)[0] === anchor)?.path;
}

/**
 * The README as pages of the site: the first page begins with a hero, and some sections are pages
 * of their own.
 *
 * @param packages the pages of the packages, of which some are introduced.
 */
export function homePages(
  readme: SiteDocument,
  slogan: string,
  packages: readonly SiteDocument[],
): SiteDocument[] {
  const [start = '', ...sections] = readme.text.split(/^(?=## )/m);
  const moved = [...PARTS.map(({ heading }) => heading), ...IN_MENUS];
  const kept = sections.filter((section) => !moved.includes(headingOf(section)));
  const home = { path: readme.path, text: [start, ...kept].join('') };
  const parts = PARTS.flatMap(({ heading, path, title }) =>
    sections
      .filter((section) => headingOf(section) === heading)
      .map((section) => ({ path, text: section.replace(/^## .*/, `# ${title}`) })),
  );
  return [{ ...home, source: sourceOf(home, slogan, packages) }, ...parts];
}

function headingOf(section: string): string {
  return section.slice('## '.length, section.indexOf('\n'));
}

/** What the generator gets: the introduction, what it is and why, is its hero. */
function sourceOf(home: SiteDocument, slogan: string, packages: readonly SiteDocument[]): string {
  const tagline = descriptionOf(home);
  const [intro = '', why = ''] = /^# .+\n\n[^]+?\n\n(?:(?!#)([^]+?)\n\n)?/.exec(home.text) ?? [];
  const features = packages.flatMap((page) =>
    FAMILIES.filter((name) => page.path === `packages/${name}.md`).map((name) => ({
      title: `@apix/${name}`,
      details: descriptionOf(page),
      link: `/packages/${name}`,
    })),
  );
  const hero = { name: 'apix', text: slogan, tagline, actions: ACTIONS };
  // JSON is YAML.
  return `---\n${JSON.stringify({ layout: 'home', hero, why: inOneLine(why), features })}\n---\n\n${home.text.slice(intro.length)}`;
}
