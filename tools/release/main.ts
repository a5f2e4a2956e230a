/**
 * `npm run release`: builds and packs every package, checks contents and sizes, writes a bill of materials next to
 * each, and publishes them in order, with provenance, by an OIDC token of the CI. `-- --dry-run` uploads nothing, and
 * prints what would stop a release; only wrong contents and sizes fail it. `-- --record-sizes` records the sizes.
 * Writes to dist/release.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackages } from '../architecture/package-tree.js';
import { bedsOf, readReport, reportObstacles } from '../conformance/report.js';
import { contentMistakes } from '../packages/contents.js';
import { pack } from '../packages/pack.js';
import { readPublishing } from '../publishing/publishing.js';
import { readLock } from '../supply-chain/locked-package.js';
import { attestationObstacles, attestationOf } from './attestation.js';
import { obstaclesTo, publishOrder } from './release-checks.js';
import { sbomOf } from './sbom.js';
import { type PackageSize, SIZES_FILE, type SizeBudget, overBudget } from './size-budget.js';

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    'record-sizes': { type: 'boolean', default: false },
  },
});
const isDry = values['dry-run'] || values['record-sizes'];
const root = process.cwd();
const into = join(root, 'dist/release');
const { version, scripts } = readJson('package.json') as {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
};
const packages = publishOrder(readPackages(root));
const publishing = readPublishing(root);
const commit = run('git', ['rev-parse', 'HEAD']).trim();
const attestation = attestationOf(process.env);
const obstacles = [
  ...obstaclesTo({
    version,
    packages,
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    uncommitted: run('git', ['status', '--porcelain']),
    publishing,
  }),
  ...attestationObstacles(attestation, { commit, repository: publishing.repository }),
  ...reportObstacles(readReport(root), commit, bedsOf(scripts)),
];
for (const obstacle of obstacles) console.error(`${isDry ? 'would stop: ' : ''}${obstacle}`);
if (obstacles.length > 0 && !isDry) process.exit(1);

// A dry run takes what is built: others may be reading it.
const isBuilt = packages.every(({ folder }) => existsSync(join(root, 'libs', folder, 'dist')));
if (!isDry || !isBuilt) npm(['run', '--silent', 'build'], root);

rmSync(into, { recursive: true, force: true });
mkdirSync(into, { recursive: true });
const packed = packages.map((one) => ({
  one,
  tarball: pack(join(root, 'libs', one.folder), into),
}));
const sizes: Record<string, PackageSize> = Object.fromEntries(
  packed.map(({ one, tarball: { size, unpackedSize, files } }) => [
    one.manifest.name,
    { packed: size, unpacked: unpackedSize, files: files.length },
  ]),
);
if (values['record-sizes']) {
  writeFileSync(join(root, SIZES_FILE), `${JSON.stringify(sizes, null, 2)}\n`);
}
const mistakes = [
  ...packed.flatMap(({ one, tarball }) =>
    contentMistakes(one, tarball.files).map((mistake) => `${one.manifest.name}: ${mistake}`),
  ),
  ...overBudget(sizes, readJson(SIZES_FILE) as SizeBudget),
];
for (const mistake of mistakes) console.error(mistake);
if (mistakes.length > 0) process.exit(1);

const { hasToken: _, ...stated } = attestation ?? {
  builder: 'none: this is not a CI that npm knows',
  repository: publishing.repository ?? 'not set',
  commit,
  workflow: 'none',
  hasToken: false,
};
const subjects = packed.map(({ one, tarball: { integrity } }) => ({
  name: `pkg:npm/${one.manifest.name.replace('@', '%40')}@${version}`,
  integrity,
}));
writeJson('provenance.json', { ...stated, subjects });
for (const [name, value] of Object.entries(stated)) console.log(`attested ${name}: ${value}`);

const locked = readLock(root);
for (const { one, tarball } of packed) {
  const { name } = one.manifest;
  const sbom = sbomOf(one, packages, locked);
  writeJson(`${name.replace('@', '').replace('/', '-')}-${version}.cdx.json`, sbom);
  const how = isDry ? ['--dry-run'] : ['--provenance'];
  npm(['publish', tarball.file, '--access', 'public', '--silent', ...how], root);
  const { packed: bytes, unpacked, files } = sizes[name]!;
  console.log(
    `${name}@${version}: ${kilo(bytes)} packed, ${kilo(unpacked)} unpacked, ${files} files, ` +
      `${sbom.components.length} components${isDry ? ', dry run' : ''}`,
  );
}

function kilo(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

function writeJson(file: string, content: unknown): void {
  writeFileSync(join(into, file), `${JSON.stringify(content, null, 2)}\n`);
}

function npm(args: readonly string[], cwd: string): void {
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, cwd);
}

function run(program: string, args: readonly string[], cwd = root): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
