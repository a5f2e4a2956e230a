import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { emptyHeaders } from './empty-headers.mjs';
import { githubAnchor } from './github-anchor.mjs';
import { braceTexts } from './no-templates.mjs';
import { drawDiagrams } from './diagrams.mjs';
import { namePlaces } from './named-places.mjs';
import { SEARCH, isSearched } from '../../tools/site/search/search-options.js';

// Written by tools/site: `npm run site`.
const site = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'apix',
  description: site.slogan,
  base: site.base,
  srcDir: 'pages',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${site.base}favicon.svg` }]],
  lang: 'en',
  // The list of pages is the same on all of them: one file instead of a part of each.
  metaChunk: true,
  markdown: {
    // The usual themes are too pale for WCAG.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: githubAnchor },
    config: (markdown) => {
      drawDiagrams(markdown);
      braceTexts(markdown);
      emptyHeaders(markdown);
      namePlaces(markdown);
    },
  },
  // The link checker of tools/site knows the Markdown and the anchors too; both have to agree.
  ignoreDeadLinks: false,
  transformHead: ({ pageData }) => {
    if (pageData.relativePath === '404.md') return [];
    const href = site.base + pageData.relativePath;
    return [['link', { rel: 'alternate', type: 'text/markdown', href }]];
  },
  themeConfig: {
    logo: '/favicon.svg',
    version: site.version,
    repository: site.repository,
    sidebar: site.sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: SEARCH,
        _render: (source, env, markdown) =>
          isSearched(env.relativePath) ? markdown.render(source, env) : '',
      },
    },
    nav: [
      { text: 'Guides', link: '/guides/', activeMatch: '^/(?:guides|getting-started)' },
      { text: 'Recipes', link: '/recipes/', activeMatch: '^/recipes/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Comparison', link: '/compared' },
      { component: 'VersionMenu' },
    ],
    notFound: {
      title: 'Page not found',
      quote: 'There is no page at this address. It may have moved: search for it, or start again.',
      linkText: 'To the first page',
      linkLabel: 'To the first page',
    },
    footer: { message: `<a href="${site.base}licence.html">Apache License 2.0</a>` },
  },
});
