/**
 * Writes a report of what every entry point of every package exports, `libs/<name>/api/*.api.md`,
 * so that a change to a public API shows as a diff that somebody approves. With `--check` writes
 * nothing and fails where a report is missing, stale or left over. Expects that all is built.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPackages } from '../architecture/package-tree.js';
import { entriesOf } from './entries.js';
import { reportsOf } from './report.js';

const root = process.cwd();
const check = process.argv.includes('--check');
const work = mkdtempSync(join(tmpdir(), 'apix-api-'));
let stale = 0;
const packages = readPackages(root).map(({ folder, manifest }) => ({
  folder,
  home: join(root, 'libs', folder),
  entries: entriesOf(manifest),
}));
const allEntries = packages.flatMap(({ home, entries }) =>
  entries.map(({ types }) => ({ home, types })),
);
const reports = reportsOf(root, allEntries, work);
for (const pkg of packages) {
  const folder = join(pkg.home, 'api');
  const wanted = new Map(
    pkg.entries.map(({ name, types }) => [`${name}.api.md`, reports.get(join(pkg.home, types))!]),
  );
  const there = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of there.filter((name) => !wanted.has(name))) {
    print(`left over: libs/${pkg.folder}/api/${file}`);
    if (!check) rmSync(join(folder, file));
  }
  for (const [file, text] of wanted) {
    const path = join(folder, file);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    print(`${check ? 'stale' : 'wrote'}: libs/${pkg.folder}/api/${file}`);
    if (check) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
  }
}
rmSync(work, { recursive: true });
if (check && stale > 0) {
  console.error(
    'public APIs differ from their reports: run `npm run api`, look at the diff, commit',
  );
  process.exitCode = 1;
}

function print(line: string): void {
  stale += 1;
  console.log(line);
}
