import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deadLinks } from './dead-links.js';
import { homePages } from './home.js';
import { llmsFull, llmsIndex } from './llms.js';
import { asMarkdown } from './reference/docstring.js';
import { sidebarsOf } from './sidebar.js';
import { descriptionOf, titleOf } from './site-document.js';
import { withSiteLinks } from './site-links.js';
import { repositoryHome } from './repository.js';
import { siteOptions } from './site-options.js';
import { sitePathOf } from './site-paths.js';
import { versionMenu } from './versions.js';

const pages = new Set(['README.md', 'docs/errors.md', 'docs/guides/a.md', 'libs/authz/README.md']);

describe('the path of a page on the site', () => {
  it.each([
    ['README.md', 'index.md'],
    ['CHANGELOG.md', 'changelog.md'],
    ['docs/errors.md', 'errors.md'],
    ['docs/guides/README.md', 'guides/index.md'],
    ['libs/authz/README.md', 'packages/authz.md'],
  ])('of %s is %s', (page, path) => {
    expect(sitePathOf(page)).toBe(path);
  });
});

describe('a link of a page in docs/guides', () => {
  it.each([
    ['[x](../errors.md#grpc)', '[x](../errors.md#grpc)'],
    ['[x](../../libs/authz)', '[x](../packages/authz.md)'],
    ['[x](../../libs/authz/README.md)', '[x](../packages/authz.md)'],
    ['[x](../../README.md)', '[x](../index.md)'],
    ['[x](../../README.md#tests)', '[x](../tests.md)'],
    ['[x](../../README.md#packages)', '[x](../index.md#packages)'],
    ['![x](../images/a.png)', '![x](./../images/a.png)'],
    ['[x](../../LICENSE)', '[x](../licence.md)'],
    ['[`x` and y](../../tools/run.mjs)', '`x` and y'],
    ['[x](https://nestjs.com) [y](#z)', '[x](https://nestjs.com) [y](#z)'],
    ['```ts\n[x](../../libs/authz)\n```\n', '```ts\n[x](../../libs/authz)\n```\n'],
  ])('%j becomes %j', (text, expected) => {
    expect(withSiteLinks('docs/guides/a.md', text, { pages })).toBe(expected);
  });

  it('to what is no page leads to the repository, where that is known', () => {
    const repository = 'https://example.org/apix/blob/main';
    expect(withSiteLinks('docs/errors.md', '[x](../buf.yaml)', { pages, repository })).toBe(
      `[x](${repository}/buf.yaml)`,
    );
  });
});

describe('a page', () => {
  const page = { path: 'a.md', text: '# The `a` [page](b.md)\n\nSays\n**what** it is.\n\nMore.\n' };

  it('has a title and a description without marks', () => {
    expect(titleOf(page)).toBe('The a page');
    expect(descriptionOf(page)).toBe('Says what it is.');
  });

  it('that begins with code has no description', () => {
    expect(descriptionOf({ path: 'a.md', text: '# A\n\n```sh\nls\n```\n' })).toBe('');
  });

  it('that is the README begins with a hero, and goes on as it did', () => {
    const readme = { path: 'index.md', text: '# apix\n\nIntro.\n\nFor a\n`reason`.\n\nMore.\n' };
    const packages = ['authz', 'proto'].map((name) => ({
      path: `packages/${name}.md`,
      text: `# @apix/${name}\n\nWho.\n`,
    }));
    const [home] = homePages(readme, 'Slogan', packages);
    expect(home?.source).toMatch(/^---\n\{"layout":"home","hero":\{"name":"apix","text":"Slogan"/);
    expect(home?.source).toContain(
      '"features":[{"title":"@apix/authz","details":"Who.","link":"/packages/authz"}]',
    );
    expect(home?.source).toContain('"why":"For a reason."');
    expect(home?.source).toMatch(/\n---\n\nMore\.\n$/);
  });

  it('that is the README leaves long sections to pages of their own', () => {
    const text =
      '# apix\n\nIntro.\n\n## Packages\n\nP.\n\n## Compared\n\nC.\n\n## Documentation\n\nD.\n';
    const [home, ...others] = homePages({ path: 'index.md', text }, 'Slogan', []);
    expect(home?.text).toBe('# apix\n\nIntro.\n\n## Packages\n\nP.\n\n');
    expect(others).toEqual([{ path: 'compared.md', text: '# Comparison\n\nC.\n\n' }]);
  });
});

it('a guide that its index does not list ends the build', () => {
  const names = ['getting-started', 'guides/existing-app', 'compared', 'compatibility', 'nest-11'];
  const documents = [...names, 'guides/forgotten']
    .map((name) => ({ path: `${name}.md`, text: '# X\n' }))
    .concat({ path: 'guides/index.md', text: '# Guides\n\n- [a](existing-app.md)\n' });
  expect(() => sidebarsOf(documents)).toThrow(
    'site: guides/index.md does not list guides/forgotten.md',
  );
});

describe('for language models', () => {
  const documents = [
    { path: 'index.md', text: '# apix\n\nAll.\n' },
    { path: 'guides/a.md', text: '# A guide\n\nHow. See [b](../errors.md#x).\n' },
    { path: 'decisions/0001-a.md', text: '# 0001 A\n' },
  ];

  it('llms.txt lists pages with what they are about', () => {
    expect(llmsIndex(documents, 'Slogan', '/x/')).toContain(
      '# apix\n\n> Slogan\n\n## Start\n\n- [apix](/x/index.md): All.\n\n## Guides\n\n- [A guide](/x/guides/a.md): How. See b.\n',
    );
  });

  it('a page that llms.txt would not list ends the build', () => {
    const forgotten = [...documents, { path: 'new.md', text: '# New\n' }];
    expect(() => llmsIndex(forgotten, 'Slogan', '/')).toThrow(
      'site: no section of llms.txt has new.md',
    );
  });

  it('llms-full.txt has the pages for users, with links that hold', () => {
    const text = llmsFull(documents, '/x/');
    expect(text).toContain('<!-- /x/guides/a.md -->\n\n# A guide\n\nHow. See [b](/x/errors.md#x).');
    expect(text).not.toContain('0001');
  });
});

it('docstrings become Markdown with links, and without HTML or templates', () => {
  const find = {
    name: (name: string) => (name === 'Known' ? 'a.md#known' : undefined),
    decision: (number: string) => (number === '0001' ? '../0001-a.md' : undefined),
  };
  expect(
    asMarkdown('{@link Known}, {@link Known.x | it}, {@link No}: a<b {{c}}, `a<b`', find),
  ).toBe('[`Known`](a.md#known), [it](a.md#known), `No`: a&lt;b &#123;&#123;c}}, `a<b`');
  expect(asMarkdown('Why: docs/decisions/0001', find)).toBe('Why: [decision 0001](../0001-a.md)');
});

describe('the repository', () => {
  it.each([
    ['https://host.test/o/apix/blob/main', null, 'https://host.test/o/apix'],
    ['https://host.test/o/apix/-/tree/main', null, 'https://host.test/o/apix'],
    ['https://host.test/o/apix/src/branch/main', null, 'https://host.test/o/apix'],
    [undefined, 'git+https://host.test/o/apix.git', 'https://host.test/o/apix'],
    [undefined, null, undefined],
  ])('with files at %s, published as %s, is at %s', (files, published, home) => {
    expect(repositoryHome(files, published)).toBe(home);
  });
});

describe('the menu of versions', () => {
  it('begins with what is built, released or not', () => {
    expect(versionMenu('0.3.0', ['v0.2.0', 'v0.1.0'])).toEqual([
      { name: '0.3.0 (unreleased)', path: '' },
      { name: '0.2.0', path: 'v0.2.0/' },
      { name: '0.1.0', path: 'v0.1.0/' },
    ]);
    expect(versionMenu('0.2.0', ['v0.2.0'])).toEqual([{ name: '0.2.0', path: '' }]);
  });
});

describe('the options', () => {
  it('have defaults', () => {
    expect(siteOptions([])).toEqual({ base: '/', out: 'site/dist', releases: false });
  });

  it.each(['apix', '/apix', 'apix/', '//evil/'])('refuse the base %s', (base) => {
    expect(() => siteOptions(['--base', base])).toThrow(`site: --base ${base} must start and end`);
  });
});

describe('a built site', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'apix-site-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  it('has its dead links listed, and what it loads from elsewhere', () => {
    write('b/index.html', '<h1 id="top">B</h1>');
    write('b.md', '# Top\n');
    write(
      'a.html',
      ['/x/b/', '/x/b/index.html#top', '/x/b/#no', '/b/', '/x/c.html', 'https://nestjs.com', '#no']
        .map((href) => `<a class="l" href="${href}">l</a>`)
        .join('') + '<script async src="https://cdn.example/a.js"></script>',
    );
    write('a.md', '[x](b.md#top) [x](b.md#no) [x](c.md) `[x](d.md)`\n');
    expect(deadLinks(folder, '/x/').toSorted()).toEqual([
      'a.html loads https://cdn.example/a.js from elsewhere',
      'a.html: #no',
      'a.html: /b/',
      'a.html: /x/b/#no',
      'a.html: /x/c.html',
      'a.md: b.md#no',
      'a.md: c.md',
    ]);
  });
});
