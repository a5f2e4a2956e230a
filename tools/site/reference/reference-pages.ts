import type ts from 'typescript';
import { anchorsOf } from '../../docs/links.js';
import { readPackages } from '../../architecture/package-tree.js';
import { type SiteDocument } from '../site-document.js';
import { relativeLink } from '../site-paths.js';
import { type Api, type ApiEntry, type ApiExport, readApi } from './api-program.js';
import { declarationText } from './declaration-text.js';
import { docstringOf, type Finders, tagsOf } from './docstring.js';
import { membersOf } from './members.js';

/** Where a symbol is described: the first entry point that exports it, of its own package if it can be. */
interface Home {
  readonly entry: ApiEntry;
  readonly name: string;
  readonly anchor: string;
}

type Homes = ReadonlyMap<ts.Symbol, Home>;

/** The API of every package: a page for each entry point and one that lists them. */
export function referencePages(root: string, decisions: readonly string[]): SiteDocument[] {
  const api = readApi(root);
  const homes = homesOf(api.entries);
  return [
    indexPage(root, api.entries),
    ...api.entries.map((entry) => entryPage(api, entry, homes, decisions)),
  ];
}

function homesOf(entries: readonly ApiEntry[]): Homes {
  const owners = new Map<ts.Symbol, ApiEntry>();
  for (const entry of entries) {
    for (const { symbol } of entry.exports) {
      const [declaration] = symbol.declarations ?? [];
      const isOwn = declaration?.getSourceFile().fileName.includes(`/libs/${entry.folder}/`);
      const before = owners.get(symbol);
      const isBetter = isOwn === true && before?.folder !== entry.folder;
      if (before === undefined || isBetter) owners.set(symbol, entry);
    }
  }
  const homes = new Map<ts.Symbol, Home>();
  for (const entry of entries) {
    const own = entry.exports.filter(({ symbol }) => owners.get(symbol) === entry);
    const anchors = anchorsOf(
      [entry.specifier, ...own.map(({ name }) => name)].map((it) => `# ${it}`).join('\n'),
    );
    own.forEach(({ name, symbol }, index) =>
      homes.set(symbol, { entry, name, anchor: anchors[index + 1]! }),
    );
  }
  return homes;
}

function entryPage(
  { checker, entries }: Api,
  entry: ApiEntry,
  homes: Homes,
  decisions: readonly string[],
): SiteDocument {
  const find = findersFor(entry, entries, homes, decisions);
  const own = entry.exports.filter(({ symbol }) => homes.get(symbol)!.entry === entry);
  const others = entry.exports.filter(({ symbol }) => homes.get(symbol)!.entry !== entry);
  const sections = own.map(({ name, symbol }) =>
    [
      `## ${name}`,
      docstringOf(symbol, checker, find),
      `\`\`\`ts\n${declarationText(symbol)}\n\`\`\``,
      tagsOf(symbol, checker, find),
      membersOf(symbol, checker, find),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
  const also = others.map(({ name, symbol }) => {
    const home = homes.get(symbol)!;
    return `- [\`${name}\`](${linkTo(entry, home)}) of \`${home.entry.specifier}\``;
  });
  const text = [
    `# ${entry.specifier}`,
    `What \`${entry.specifier}\` exports. [Its README](${relativeLink(entry.path, `packages/${entry.folder}.md`)}) says what it is for.`,
    ...sections,
    ...(also.length === 0 ? [] : [`## Described elsewhere`, also.join('\n')]),
  ].join('\n\n');
  return { path: entry.path, text: `${text}\n` };
}

function linkTo(from: ApiEntry, { entry, anchor }: Home): string {
  return entry === from ? `#${anchor}` : `${relativeLink(from.path, entry.path)}#${anchor}`;
}

/** A name means what the entry point itself exports, else what its package does, else any. */
function findersFor(
  entry: ApiEntry,
  entries: readonly ApiEntry[],
  homes: Homes,
  decisions: readonly string[],
): Finders {
  const nearest = [entry, ...entries.filter(({ folder }) => folder === entry.folder), ...entries];
  return {
    name: (name) => {
      const found = nearest
        .flatMap(({ exports }): readonly ApiExport[] => exports)
        .find((one) => one.name === name);
      return found && linkTo(entry, homes.get(found.symbol)!);
    },
    decision: (number) => {
      const page = decisions.find((path) => path.startsWith(`decisions/${number}-`));
      return page && relativeLink(entry.path, page);
    },
  };
}

function indexPage(root: string, entries: readonly ApiEntry[]): SiteDocument {
  const rows = readPackages(root).map(({ folder, manifest }) => {
    const links = entries
      .filter((entry) => entry.folder === folder)
      .map(({ specifier, path }) => `[\`${specifier}\`](${relativeLink('api/index.md', path)})`);
    return `| ${links.join('<br>')} | ${manifest.description ?? ''} |`;
  });
  const text = [
    '# API',
    'Everything that the packages export, by entry point, from their docstrings.',
    ['| entry points | package |', '| --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
  return { path: 'api/index.md', text: `${text}\n` };
}
