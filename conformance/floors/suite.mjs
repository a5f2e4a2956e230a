// A copy of the repository in which packages have other versions, and its tests.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const env = { ...process.env, NODE_OPTIONS: '' };
const MOST_OUTPUT = 2 ** 28;

/** Not part of the copy. */
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'bench', 'coverage'];

/** Tools that no test of a package uses. Some want newer peers than the lowest. */
const NOT_FOR_TESTS = [
  '@arethetypeswrong/core',
  '@bufbuild/protoc-gen-es',
  '@electric-sql/pglite',
  '@microsoft/api-extractor',
  '@nestjs/cli',
  '@prettier/plugin-oxc',
  '@swc/cli',
  'oxlint',
  'oxlint-tsgolint',
  'playwright-core',
  'prettier',
  'publint',
];

/**
 * Gives `work` the copy, with everything installed.
 *
 * @param versions of development dependencies, by name; of others what package-lock.json has
 * @param kept tools that the work needs
 */
export async function inCopy(versions, work, kept = []) {
  const folder = await mkdtemp(join(tmpdir(), 'apix-copy-'));
  try {
    const filter = (path) => path === root || !LEFT_OUT.includes(basename(path));
    await cp(root, folder, { recursive: true, filter });
    const file = join(folder, 'package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    for (const tool of NOT_FOR_TESTS) {
      if (!kept.includes(tool)) delete manifest.devDependencies[tool];
    }
    Object.assign(manifest.devDependencies, versions);
    await writeFile(file, JSON.stringify(manifest));
    await unlockNest(join(folder, 'package-lock.json'));
    await run(
      'npm',
      ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
      {
        cwd: folder,
        env,
      },
    );
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Packages of Nest hold each other by their peers: npm takes others for all of them or for none. */
async function unlockNest(file) {
  const lock = JSON.parse(await readFile(file, 'utf8'));
  const isOurs = (path) => path === '' || /^(?:libs|node_modules\/@apix)\//.test(path);
  const locked = Object.entries(lock.packages).filter(
    ([path]) => !isOurs(path) && !/(?:^|\/)node_modules\/@nestjs\//.test(path),
  );
  await writeFile(file, JSON.stringify({ ...lock, packages: Object.fromEntries(locked) }));
}

/** Runs the tests below `paths` and answers what became of them, by the folder of libs/ or apps/. */
export async function testsIn(folder, paths) {
  const report = join(folder, 'report.json');
  // Other checks of the gate run at the same time.
  const args = [
    'jest',
    '--maxWorkers=100%',
    '--json',
    `--outputFile=${report}`,
    '--silent',
    ...paths,
  ];
  // Tests that fail make jest fail; what counts is the report.
  const ended = await run('npx', args, { cwd: folder, env, maxBuffer: MOST_OUTPUT }).catch(
    (error) => error,
  );
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`jest wrote no report: ${ended.stderr}`);
  });
  const byLib = new Map();
  for (const { name, message, assertionResults } of JSON.parse(text).testResults) {
    const [, lib] = /[\\/](?:libs|apps)[\\/]([^\\/]+)[\\/]/.exec(name);
    const tests = byLib.get(lib) ?? { passed: 0, failures: [] };
    byLib.set(lib, tests);
    const failed = assertionResults.filter(({ status }) => status !== 'passed');
    tests.passed += assertionResults.length - failed.length;
    tests.failures.push(...failed.map(({ fullName, status }) => `${status}: ${fullName}`));
    if (assertionResults.length === 0) tests.failures.push(`${basename(name)}: ${message}`);
  }
  return byLib;
}
