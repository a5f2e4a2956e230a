// Follows the guides in empty folders: runs their commands as they stand, with the packed packages,
// and compares what they print. blocks.json says which command is run by which script. Expects
// `npm run build`.  node conformance/guides/run.mjs [chapter...]
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startRegistry } from '../packages/registry.mjs';
import { addAuthz, testPolicies } from './authz.mjs';
import { hybridApps, schedule, terminus } from './beside.mjs';
import { gatewayInFront } from './gateway.mjs';
import { COMPILER, TSCONFIG } from './compiler.mjs';
import { startIdentity } from './identity.mjs';
import { kubernetes } from './kubernetes.mjs';
import { testing } from './testing.mjs';
import { openPage } from './page.mjs';
import { openWorkplace } from './workplace.mjs';

/** What an app has that is new. */
const NEST =
  'npm install @nestjs/common@12 @nestjs/core@12 @nestjs/platform-express@12 reflect-metadata rxjs';

const blocks = JSON.parse(await readFile(join(import.meta.dirname, 'blocks.json'), 'utf8'));
const registry = await startRegistry();
const identity = await startIdentity();
const shop = await openWorkplace(registry);
const edge = await openWorkplace(registry);
const besides = await openWorkplace(registry);
const tests = await openWorkplace(registry);
const asked = process.argv.slice(2);
const pages = [];
const page = async (name) => {
  const path = `docs/guides/${name}.md`;
  const opened = await openPage(path, blocks[path] ?? []);
  pages.push(opened);
  return opened;
};
const step = async (name, work) => {
  console.log(`\n${name}`);
  return work();
};

const CHAPTERS = {
  async shop() {
    const authz = await step('add-authz.md', async () =>
      addAuthz(shop, await page('add-authz'), identity),
    );
    await step('testing-policies.md', async () =>
      testPolicies(shop, await page('testing-policies'), authz.proto),
    );
    await step('nest-config.md', async () => shop.sh((await page('nest-config')).block('sh')));
    await step('gateway-in-front.md', async () =>
      gatewayInFront(edge, await page('gateway-in-front'), authz),
    );
    await step('kubernetes.md, systemd.md, windows.md', async () =>
      kubernetes(edge, await page('kubernetes'), await page('systemd'), await page('windows')),
    );
  },
  async beside() {
    await besides.sh(`${NEST}\n${COMPILER}`);
    await besides.write('tsconfig.json', TSCONFIG);
    await step('terminus.md', async () => terminus(besides, await page('terminus')));
    await step('schedule.md', async () => schedule(besides, await page('schedule')));
    await step('agents.md', async () => besides.sh((await page('agents')).block('sh')));
    await step('hybrid-apps.md', async () => hybridApps(besides, await page('hybrid-apps')));
  },
  testing: () => step('testing.md', async () => testing(tests, await page('testing'))),
};

try {
  for (const [name, chapter] of Object.entries(CHAPTERS)) {
    if (asked.length === 0 || asked.includes(name)) await chapter();
  }
  for (const { assertAllRun } of pages) assertAllRun();
  console.log(`\n${pages.length} guides: every command does what its page says`);
} finally {
  await shop.leave();
  await edge.leave();
  await besides.leave();
  await tests.leave();
  identity.close();
  registry.close();
}
