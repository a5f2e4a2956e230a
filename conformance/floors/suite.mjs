// A copy of the repository whose peers have their lowest versions, and its tests.
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

/** Not peers, but released with @nestjs/core, and an app has them in its version. */
const WITH_NEST = ['@nestjs/platform-express', '@nestjs/platform-fastify', '@nestjs/testing'];

/** Tools that no test of a package uses. Some want newer peers than the lowest. */
const NOT_FOR_TESTS = [
  '@arethetypeswrong/cli',
  '@bufbuild/protoc-gen-es',
  '@electric-sql/pglite',
  '@microsoft/api-extractor',
  '@nestjs/cli',
  '@swc/cli',
  'oxlint',
  'oxlint-tsgolint',
  'playwright-core',
  'prettier',
  'publint',
];

/** Gives `work` the copy, with everything installed. */
export async function inCopy(floors, work) {
  const folder = await mkdtemp(join(tmpdir(), 'apix-floors-'));
  try {
    const filter = (path) => path === root || !LEFT_OUT.includes(basename(path));
    await cp(root, folder, { recursive: true, filter });
    const file = join(folder, 'package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    for (const tool of NOT_FOR_TESTS) delete manifest.devDependencies[tool];
    for (const name of WITH_NEST) manifest.devDependencies[name] = floors['@nestjs/core'];
    Object.assign(manifest.devDependencies, floors);
    await writeFile(file, JSON.stringify(manifest));
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

/** Runs the tests below `paths` and answers what became of them, by the folder of libs/. */
export async function testsIn(folder, paths) {
  const report = join(folder, 'report.json');
  const args = ['jest', '--json', `--outputFile=${report}`, '--silent', ...paths];
  // Tests that fail make jest fail; what counts is the report.
  const ended = await run('npx', args, { cwd: folder, env, maxBuffer: MOST_OUTPUT }).catch(
    (error) => error,
  );
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`jest wrote no report: ${ended.stderr}`);
  });
  const byLib = new Map();
  for (const { name, message, assertionResults } of JSON.parse(text).testResults) {
    const [, lib] = /[\\/]libs[\\/]([^\\/]+)[\\/]/.exec(name);
    const tests = byLib.get(lib) ?? { passed: 0, failures: [] };
    byLib.set(lib, tests);
    const failed = assertionResults.filter(({ status }) => status !== 'passed');
    tests.passed += assertionResults.length - failed.length;
    tests.failures.push(...failed.map(({ fullName, status }) => `${status}: ${fullName}`));
    if (assertionResults.length === 0) tests.failures.push(`${basename(name)}: ${message}`);
  }
  return byLib;
}
