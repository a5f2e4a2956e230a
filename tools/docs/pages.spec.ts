import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { commandMistakes, folderMistakes } from './commands.js';
import { anchorsOf, linkMistakes } from './links.js';
import { allPages, pagesForUsers } from './pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the pages', () => {
  it('link to files and headings that there are', () => {
    expect(allPages(root).flatMap((page) => linkMistakes(root, page))).toEqual([]);
  });

  it('have been merged to the end', () => {
    // The formatter takes the last marker of a conflict for quotes of quotes.
    const marker = /^(?:<{7} |> > > > > > > |>{7} )/m;
    const unmerged = allPages(root).filter((page) =>
      marker.test(readFileSync(join(root, page), 'utf8')),
    );
    expect(unmerged).toEqual([]);
  });

  it('name scripts and programs that there are', () => {
    const mistakes = pagesForUsers(root).flatMap((page) =>
      commandMistakes(root, page, readFileSync(join(root, page), 'utf8')),
    );
    expect(mistakes).toEqual([]);
  });

  it('create the folders that their commands write into', () => {
    const mistakes = pagesForUsers(root).flatMap((page) =>
      folderMistakes(page, readFileSync(join(root, page), 'utf8')),
    );
    expect(mistakes).toEqual([]);
  });
});

it('CONTRIBUTING draws folders that there are', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, drawing] = /^```text\n(proto\/ [^]*?)^```$/m.exec(page)!;
  const folders = [...drawing!.matchAll(/^([\w/]+\/)/gm)].map(([, folder]) => folder!);
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  expect(folders.length).toBeGreaterThan(5);
});

it('CONTRIBUTING names files that there are', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const named = [...page.matchAll(/`((?:libs|tools|docs|conformance|apps|bench)\/[\w./-]+)`/g)];
  const paths = named.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)));
  expect(paths).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
});

describe('the README names', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');

  it('every package', () => {
    const libs = readdirSync(join(root, 'libs'));
    expect(libs.filter((lib) => !readme.includes(`[\`@apix/${lib}\`](libs/${lib})`))).toEqual([]);
  });

  it('every conformance script', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const conformance = Object.keys(scripts).filter((name) => name.startsWith('conformance:'));
    expect(conformance.filter((name) => !readme.includes(`| \`${name}\` `))).toEqual([]);
  });
});

it('links that lead nowhere are told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'apix-links-'));
  const links = ['b.md', 'b.md#one', 'b.md#two', '#two', 'c.md', '../a.md', 'https://nestjs.com'];
  writeFileSync(join(folder, 'a.md'), links.map((link) => `[x](${link})`).join('\n'));
  writeFileSync(join(folder, 'b.md'), '# One\n');
  expect(linkMistakes(folder, 'a.md')).toEqual(
    ['b.md#two', '#two', 'c.md', '../a.md'].map((link) => `a.md: nothing is at ${link}`),
  );
  rmSync(folder, { recursive: true });
});

describe('of commands', () => {
  it.each([
    ['npm run nonesuch', ['page.md: no script for `npm run nonesuch`']],
    ['npm --prefix bench run drain', ['page.md: no script for `npm --prefix bench run drain`']],
    ['npm ci && npm start', []],
    ['npx apix-authz report', []],
    ['npx -p @apix/proto apix-authz', ['page.md: no program for `npx -p @apix/proto apix-authz`']],
    ['npm install --save-dev vitest@4\nnpx vitest run', []],
    ['npx @apix/gateway-server --help', []],
    ['npx @apix/proto', ['page.md: no program for `npx @apix/proto`']],
    ['npx @apix/nonesuch', ['page.md: no program for `npx @apix/nonesuch`']],
    ['npx apix-nonesuch', ['page.md: no program for `npx apix-nonesuch`']],
  ])('`%s` has the mistakes %j', (command, mistakes) => {
    expect(commandMistakes(root, 'page.md', command)).toEqual(mistakes);
  });

  it.each([
    ['buf build -o gen/a.binpb', ['page.md: nothing creates gen/ for `-o gen/a.binpb`']],
    [
      'protoc --descriptor_set_out=a/b/c.binpb',
      ['page.md: nothing creates a/b/ for `--descriptor_set_out=a/b/c.binpb`'],
    ],
    ['node list.js > out/list.txt', ['page.md: nothing creates out/ for `> out/list.txt`']],
    [
      'buf build -o gen/a.binpb && mkdir -p gen',
      ['page.md: nothing creates gen/ for `-o gen/a.binpb`'],
    ],
    [
      'mkdir -p gen2 && buf build -o gen/a.binpb',
      ['page.md: nothing creates gen/ for `-o gen/a.binpb`'],
    ],
    ['mkdir -p gen\nbuf build -o gen/a.binpb', []],
    ['mkdir -p a/b\nbuf build -o a/b/c.binpb', []],
    ['buf build -o a.binpb', []],
    ['buf build -o /tmp/a.binpb', []],
  ])('`%s` writes into folders that there are but for %j', (command, mistakes) => {
    expect(folderMistakes('page.md', `\`\`\`sh\n${command}\n\`\`\`\n`)).toEqual(mistakes);
  });
});

it('headings have the anchors that GitHub gives them', () => {
  const text =
    '# A server of `your` own\n\n## `@apix/grpc`: stop, drain\n\n## A server of your own\n';
  expect(anchorsOf(text)).toEqual([
    'a-server-of-your-own',
    'apixgrpc-stop-drain',
    'a-server-of-your-own-1',
  ]);
});
