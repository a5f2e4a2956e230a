/**
 * Builds the documentation site: `npm run site -- --base /apix/`. Pages come from the Markdown of
 * the repository and from the declarations of the packages, so everything must be built before.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deadLinks } from './dead-links.js';
import { documentsOf } from './documents.js';
import { installGenerator, runGenerator } from './generator.js';
import { llmsFull, llmsIndex } from './llms.js';
import { buildRelease } from './releases.js';
import { repositoryHome } from './repository.js';
import { unansweredTasks } from './search/search-answers.js';
import { sidebarsOf } from './sidebar.js';
import { siteOptions } from './site-options.js';
import { releasedVersions, versionMenu } from './versions.js';

const root = process.cwd();
const options = siteOptions(process.argv.slice(2));
const pages = join(root, 'site/pages');
const out = join(root, options.out);
const { description: slogan } = readJson('package.json') as { readonly description: string };
const { repository } = readJson('tools/publishing/publishing.json') as {
  readonly repository: string | null;
};
const { version } = readJson('libs/contracts/package.json') as { readonly version: string };

installGenerator(root);
const documents = documentsOf(root, slogan, options.repository);
rmSync(pages, { recursive: true, force: true });
for (const { path, text, source = text } of documents) write(join(pages, path), source);
cpSync(join(root, 'docs/images'), join(pages, 'images'), { recursive: true });
cpSync(join(root, 'site/public'), join(pages, 'public'), { recursive: true });
write(
  join(root, 'site/pages/site.json'),
  JSON.stringify({
    base: options.base,
    slogan,
    version,
    repository: repositoryHome(options.repository, repository),
    sidebar: sidebarsOf(documents),
  }),
);

runGenerator(root, out);
for (const { path, text } of documents) write(join(out, path), text);
cpSync(join(root, 'docs/images'), join(out, 'images'), { recursive: true });
write(join(out, 'llms.txt'), llmsIndex(documents, slogan, options.base));
write(join(out, 'llms-full.txt'), llmsFull(documents, options.base));
const tags = releasedVersions(root);
write(join(out, 'versions.json'), JSON.stringify(versionMenu(version, tags)));

const dead = deadLinks(out, options.base);
for (const line of dead) console.error(`site: dead link in ${line}`);
const missed = await unansweredTasks(root, out, options.base);
for (const line of missed) console.error(`site: the search misleads: ${line}`);
console.log(`${documents.length} pages in ${options.out}, ${dead.length} dead links`);
if (dead.length + missed.length > 0) process.exitCode = 1;
if (options.releases) {
  for (const tag of tags.filter((it) => it !== `v${version}`)) buildRelease(root, tag, options);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
