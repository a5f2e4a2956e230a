// Installs packages of several versions together, and sees which copies npm makes of what they share: one within a
// minor, a second one where an app mixes two minors, and what works across both.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import semver from 'semver';
import { inFolder, install } from './alone.mjs';
import { serve } from './registry.mjs';

const run = promisify(execFile);
const libs = join(import.meta.dirname, '../../libs');

/** Two that share the third, and nothing else of ours. */
const TWO = ['cron', 'logx'];
const SHARED = '@apix/contracts';
const FOLDERS = ['contracts', 'calls', 'hostx', ...TWO];

/** Returns what failed: one text, or none. */
export async function tryMinors() {
  const folder = await mkdtemp(join(tmpdir(), 'apix-minors-'));
  const current = await versionOf(join(libs, 'contracts'));
  const [major, minor, patch] = current.split('.').map(Number);
  const later = `${major}.${minor}.${patch + 1}`;
  const next = `${major}.${minor + 1}.0`;
  const packages = new Map();
  for (const name of FOLDERS) {
    const versions = [];
    for (const version of [current, later, next])
      versions.push(await packAs(folder, name, version));
    packages.set(`@apix/${name}`, versions);
  }
  await rm(folder, { recursive: true });
  const registry = await serve(packages);
  const [one, other] = TWO.map((name) => `@apix/${name}`);
  const within = await copies(registry, [`${one}@${current}`, `${other}@${later}`]);
  const mixed = await copies(registry, [`${one}@${later}`, `${other}@${next}`]);
  const updated = await copies(registry, [`${one}@${next}`, `${other}@${next}`]);
  registry.close();
  const failures = [
    ...differs('within a minor', within.versions, [later]),
    ...differs('of two minors', mixed.versions, [later, next]),
    ...differs('after the update of both', updated.versions, [next]),
    ...(mixed.isKnown ? [] : ['a StatusError of one copy is not one for the other']),
  ];
  console.log(
    `${failures.length > 0 ? 'FAILED' : 'ok'}  ${SHARED}: one copy within a minor (${within.versions}), ` +
      `two of two minors (${mixed.versions}), across which a StatusError is known`,
  );
  return failures.length > 0 ? [failures.join('; ')] : [];
}

function differs(when, found, wanted) {
  return found.join() === wanted.join()
    ? []
    : [`${SHARED} ${when}: there is ${found.join(' and ')}, not ${wanted.join(' and ')}`];
}

async function versionOf(home) {
  return JSON.parse(await readFile(join(home, 'package.json'), 'utf8')).version;
}

/** The package as it would be published as `version`, with siblings in that version's range. */
async function packAs(folder, name, version) {
  const home = join(folder, name);
  await cp(join(libs, name), home, { recursive: true });
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  manifest.version = version;
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    if (dependency.startsWith('@apix/')) {
      manifest.dependencies[dependency] = manifest.dependencies[dependency].replace(
        /\d+\.\d+\.\d+/,
        version,
      );
    }
  }
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: home });
  const file = stdout.trim().split('\n').at(-1);
  await rm(home, { recursive: true });
  return { manifest, tarball: await readFile(join(folder, file)), file };
}

/** Which versions of the shared package there are, and whether errors of one are known to the other. */
function copies(registry, packages) {
  return inFolder(registry, async (folder) => {
    await install(folder, ['--legacy-peer-deps', ...packages]);
    const paths = [join(folder, 'node_modules', SHARED)];
    for (const name of TWO) {
      paths.push(join(folder, 'node_modules/@apix', name, 'node_modules', SHARED));
      paths.push(join(folder, 'node_modules/@apix/hostx/node_modules', SHARED));
      paths.push(join(folder, 'node_modules/@apix/calls/node_modules', SHARED));
    }
    const found = new Map();
    for (const path of paths) {
      const version = await versionOf(path).catch(() => undefined);
      if (version !== undefined) found.set(version, path);
    }
    const [first, last] = [[...found.values()][0], [...found.values()].at(-1)];
    const a = await import(join(first, 'dist/index.js'));
    const b = await import(join(last, 'dist/index.js'));
    const isKnown = b.isStatusError(new a.StatusError(5, 'not found'));
    return { versions: [...found.keys()].toSorted(semver.compare), isKnown };
  });
}
