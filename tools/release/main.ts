/**
 * `npm run release`: packs every package, writes a bill of materials beside each and publishes them in order,
 * with provenance, as an OIDC token of the CI proves it. `-- --dry-run` does all but upload; what stands in the
 * way of a release is then said and borne. Expects `npm run build`; writes to dist/release.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackages } from '../architecture/package-tree.js';
import { readPublishing } from '../publishing/publishing.js';
import { readLock } from '../supply-chain/locked-package.js';
import { obstaclesTo, publishOrder } from './release-checks.js';
import { sbomOf } from './sbom.js';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const isDry = values['dry-run'];
const root = process.cwd();
const into = join(root, 'dist/release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const packages = publishOrder(readPackages(root));
const obstacles = obstaclesTo({
  version,
  packages,
  changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  uncommitted: run('git', ['status', '--porcelain']),
  publishing: readPublishing(root),
});
for (const obstacle of obstacles) console.error(`${isDry ? 'would stop: ' : ''}${obstacle}`);
if (obstacles.length > 0 && !isDry) process.exit(1);

rmSync(into, { recursive: true, force: true });
mkdirSync(into, { recursive: true });
const locked = readLock(root);
for (const one of packages) {
  const { name } = one.manifest;
  const sbom = sbomOf(one, packages, locked);
  const file = `${name.replace('@', '').replace('/', '-')}-${version}`;
  writeFileSync(join(into, `${file}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
  const home = join(root, 'libs', one.folder);
  npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', into], home);
  const how = isDry ? ['--dry-run'] : ['--provenance'];
  npm(['publish', join(into, `${file}.tgz`), '--access', 'public', '--silent', ...how], root);
  console.log(
    `${name}@${version}: ${sbom.components.length} components${isDry ? ', dry run' : ''}`,
  );
}

function npm(args: readonly string[], cwd: string): void {
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, cwd);
}

function run(program: string, args: readonly string[], cwd = root): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
