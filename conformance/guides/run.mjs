// Follows the guides in empty folders: runs their commands as they stand, with the packed packages,
// and compares what they print. blocks.json says which command is run by which script. Expects
// `npm run build`.  node conformance/guides/run.mjs
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startRegistry } from '../packages/registry.mjs';
import { addAuthz, testPolicies } from './authz.mjs';
import { gatewayInFront } from './gateway.mjs';
import { startIdentity } from './identity.mjs';
import { kubernetes } from './kubernetes.mjs';
import { openPage } from './page.mjs';
import { openWorkplace } from './workplace.mjs';

const blocks = JSON.parse(await readFile(join(import.meta.dirname, 'blocks.json'), 'utf8'));
const registry = await startRegistry();
const identity = await startIdentity();
const shop = await openWorkplace(registry);
const edge = await openWorkplace(registry);
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

try {
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
  for (const { assertAllRun } of pages) assertAllRun();
  console.log(`\n${pages.length} guides: every command does what its page says`);
} finally {
  await shop.leave();
  await edge.leave();
  identity.close();
  registry.close();
}
