// Takes a stock Nest app through docs/guides/existing-app.md, day by day, and back again:
// `npm run conformance:existing-app`. `--nest 11|12`, `--platform express|fastify` choose; without
// them all four run. Expects `npm run build`; as root on Debian it installs redis-server.
// Why: docs/decisions/0120
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { startRegistry } from '../packages/registry.mjs';
import { ensureRedis } from '../redis-server.mjs';
import { lineOf } from './compare.mjs';
import { readGuide } from './guide.mjs';
import { takeThrough } from './journey.mjs';
import { NEST, PLATFORMS } from './versions.mjs';

const { values } = parseArgs({
  options: { nest: { type: 'string' }, platform: { type: 'string' }, keep: { type: 'boolean' } },
});
const chosen = Object.keys(NEST)
  .flatMap((nest) => PLATFORMS.map((platform) => ({ nest, platform })))
  .filter(({ nest }) => values.nest === undefined || values.nest === nest)
  .filter(({ platform }) => values.platform === undefined || values.platform === platform);
assert.ok(chosen.length > 0, '--nest is 11 or 12, --platform is express or fastify');

ensureRedis();
Logger.overrideLogger(false);
const guide = await readGuide();
const registry = await startRegistry();
let failures = 0;
for (const { nest, platform } of chosen) {
  const begun = performance.now();
  console.log(`\n=== Nest ${nest}, ${platform}`);
  try {
    await takeThrough({ registry, guide, nest, platform, keep: values.keep === true });
    console.log(`ok  ${Math.round((performance.now() - begun) / 1_000)} s`);
  } catch (error) {
    failures += 1;
    console.error(`FAILED  Nest ${nest}, ${platform}:`, error);
  }
}
// A row may be about one platform.
const stale = guide.days.flatMap(({ differences }) => differences.filter(({ isUsed }) => !isUsed));
if (failures === 0 && values.platform === undefined && stale.length > 0) {
  failures += 1;
  console.error('the guide tells of differences that there are not:', stale.map(lineOf));
}
registry.close();
console.log(`\n${failures === 0 ? 'passed' : 'failed'}`);
process.exit(failures > 0 ? 1 : 0);
