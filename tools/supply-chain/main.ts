/**
 * `npm run advisories`: looks for known weaknesses of what is installed, in the list that is checked in and
 * without a network. `-- --refresh` asks the registry first and writes what it says into the list.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Finding, findingsIn, isTooMuch, mistakesIn, readAdvisories } from './advisories.js';
import { readLock } from './locked-package.js';
import { askRegistry, merged } from './registry.js';

const { values } = parseArgs({
  options: {
    refresh: { type: 'boolean', default: false },
    registry: { type: 'string', default: 'https://registry.npmjs.org/' },
  },
});
const root = process.cwd();
const file = join(root, 'tools/supply-chain/advisories.json');
const today = new Date().toISOString().slice(0, 10);
const packages = ['.', 'bench'].flatMap((folder) =>
  // Nobody but us has what the benches compare with.
  readLock(join(root, folder)).map((one) => ({ ...one, isDev: one.isDev || folder !== '.' })),
);

if (values.refresh) {
  const list = readAdvisories(file);
  const advisories = merged(list.advisories, await askRegistry(values.registry, packages));
  writeFileSync(file, `${JSON.stringify({ ...list, asOf: today, advisories }, null, 2)}\n`);
}
const list = readAdvisories(file);
const mistakes = mistakesIn(list);
const findings = findingsIn(packages, list, today);
for (const mistake of mistakes) console.error(`advisories.json: ${mistake}`);
for (const finding of findings) console.error(lineOf(finding));
const bad = findings.filter(isTooMuch);
console.log(
  `${packages.length} packages, ${list.advisories.length} advisories as of ${list.asOf}: ` +
    `${findings.length} found, ${bad.length} too many`,
);
if (bad.length + mistakes.length > 0) process.exitCode = 1;

function lineOf(finding: Finding): string {
  const { locked, advisory, accepted } = finding;
  const { id, severity, title, vulnerable } = advisory;
  const verdict = isTooMuch(finding) ? 'FAILED' : 'borne ';
  const why = accepted ?? (locked.isDev ? 'ours alone' : `take a version outside of ${vulnerable}`);
  return `${verdict} ${locked.path} ${locked.version}: ${severity}, ${title} (https://github.com/advisories/${id}); ${why}`;
}
