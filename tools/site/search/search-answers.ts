import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isSearched, SEARCH } from './search-options.js';

/** What people look for, and the places that answer it, of which one has to be first or second. */
const TASKS: readonly (readonly [string, RegExp])[] = [
  ['cors', /^packages\/gateway\.html#at-cors/],
  ['jwks', /^packages\/authz\.html#tokens-and-jwks/],
  ['shutdown timeout', /^packages\/hostx\.html#at-shutdowntimeout/],
  ['shutdownTimeout', /^packages\/hostx\.html#at-shutdowntimeout/],
  ['graceful shutdown', /^packages\/hostx\.html#start-order-and-graceful-shutdown/],
  ['rate limit', /^recipes\/rate-limit\.html/],
  ['rotate logs', /^packages\/logx\.html#rotating-log-files/],
  ['log rotation', /^packages\/logx\.html#rotating-log-files/],
  ['log level', /^packages\/logx\.html#(?:log-levels-by-name|at-levels?$)/],
  ['health check', /^packages\/hostx\.html#health|^guides\/(?:kubernetes|terminus)\.html/],
  ['kubernetes', /^guides\/kubernetes\.html/],
  ['docker', /^recipes\/docker\.html/],
  ['systemd', /^(?:guides|recipes)\/systemd\.html/],
  ['windows service', /^guides\/windows\.html/],
  ['file upload', /^recipes\/file-upload\.html/],
  ['prometheus', /^packages\/otel\.html/],
  ['redact', /^packages\/logx\.html#(?:redaction|at-redact)/],
  ['websocket', /^packages\/gateway\.html#at-websockets|^guides\/sockets-and-graphql\.html/],
  ['deny by default', /^packages\/authz\.html/],
  ['test policies', /^guides\/testing-policies\.html|^packages\/authz\.html#testing-policies/],
  ['openapi', /^packages\/gateway\.html#at-openapi/],
  ['cron', /^packages\/cron\.html/],
  ['mcp', /^packages\/mcp\.html/],
  ['retry', /^packages\/grpc-client\.html/],
  ['graceful shutdown timed out', /^errors\.html#at-/],
];
const FIRST = 2;

interface Index {
  search(words: string): readonly { readonly id: string }[];
}

interface MiniSearch {
  loadJSON(json: string, options: object): Index;
}

/**
 * Asks the search of a built site for tasks.
 *
 * @param base the path under which the site is served.
 * @returns a line for each task whose answer is neither first nor second, with what is, and for each
 * page in the index that the search leaves out.
 */
export async function unansweredTasks(
  root: string,
  folder: string,
  base: string,
): Promise<string[]> {
  const json = await builtIndex(folder);
  const miniSearch = createRequire(join(root, 'site/package.json'))('minisearch') as MiniSearch;
  const { options, searchOptions } = SEARCH;
  const fields = ['title', 'titles', 'text'];
  const storeFields = ['title', 'titles'];
  const index = miniSearch.loadJSON(json, { fields, storeFields, searchOptions, ...options });
  const missed = TASKS.flatMap(([words, answer]) => {
    const found = index.search(words).slice(0, FIRST);
    const places = found.map(({ id }) => id.slice(base.length));
    return places.some((place) => answer.test(place)) ? [] : [`"${words}": ${places.join(', ')}`];
  });
  return [...missed, ...indexedPages(json, base).filter((page) => !isSearched(page))];
}

async function builtIndex(folder: string): Promise<string> {
  const chunks = join(folder, 'assets/chunks');
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndex'));
  if (file === undefined) throw new Error(`site: ${chunks} has no index of the search`);
  const { default: json } = (await import(pathToFileURL(join(chunks, file)).href)) as {
    readonly default: string;
  };
  return json;
}

function indexedPages(json: string, base: string): string[] {
  const { documentIds } = JSON.parse(json) as {
    readonly documentIds: Readonly<Record<string, string>>;
  };
  const pages = Object.values(documentIds).map((id) =>
    id
      .slice(base.length)
      .replace(/#.*$/, '')
      .replace(/\.html$/, '.md'),
  );
  return [...new Set(pages)];
}
