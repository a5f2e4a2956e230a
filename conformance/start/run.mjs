// `nest add @apix/start` in apps of the Nest CLI from npm, with our packages as they would be published: new ones,
// and those that a team has made something of. `--quick` takes the one that most was wrong with, `--app <name>` one;
// `--keep` leaves the folders. Expects `npm run build`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRegistry } from '../packages/registry.mjs';
import { APPS } from './apps.mjs';
import { takeExistingApp } from './existing-app.mjs';
import { takeNewApp } from './new-app.mjs';

const { values } = parseArgs({
  options: {
    app: { type: 'string' },
    keep: { type: 'boolean' },
    quick: { type: 'boolean' },
  },
});

const journeys = [
  ...['12', '11'].map((cli) => ({
    name: `new-${cli}`,
    take: (where) => takeNewApp({ cli, ...where }),
  })),
  ...APPS.map((app) => ({ ...app, take: (where) => takeExistingApp(app, where) })),
];
const chosen = journeys
  .filter(({ isQuick }) => values.quick !== true || isQuick)
  .filter(({ name }) => values.app === undefined || values.app === name);
if (chosen.length === 0) {
  throw new Error(`--app is one of ${journeys.map(({ name }) => name).join(', ')}`);
}

const registry = await startRegistry();
const failed = [];
for (const { name, take } of chosen) {
  const begun = performance.now();
  const parent = await mkdtemp(join(tmpdir(), 'apix-start-'));
  console.log(`\n=== ${name}`);
  try {
    await take({ parent, npmrc: registry.npmrc });
    console.log(`ok  ${name} in ${Math.round((performance.now() - begun) / 1_000)} s`);
  } catch (error) {
    failed.push(name);
    console.error(`FAILED  ${name}:`, error);
  }
  if (values.keep) console.log(`kept in ${parent}`);
  else await rm(parent, { recursive: true });
}
registry.close();
console.log(failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
