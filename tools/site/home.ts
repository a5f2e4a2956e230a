import { descriptionOf, type SiteDocument } from './site-document.js';

const ACTIONS = [
  { theme: 'brand', text: 'Getting started', link: '/getting-started' },
  { theme: 'alt', text: 'Guides', link: '/guides/' },
  { theme: 'alt', text: 'Recipes', link: '/recipes/' },
];

/** The README as the first page of the site: its beginning becomes a hero. */
export function homeOf(readme: SiteDocument, slogan: string): SiteDocument {
  const tagline = descriptionOf(readme);
  const [intro = ''] = /^# .+\n\n[^]+?\n\n/.exec(readme.text) ?? [];
  const head = { layout: 'home', hero: { name: 'apix', text: slogan, tagline, actions: ACTIONS } };
  // JSON is YAML.
  const source = `---\n${JSON.stringify(head)}\n---\n\n${readme.text.slice(intro.length)}`;
  return { ...readme, source };
}
