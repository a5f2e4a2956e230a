import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSuite } from './app.js';
import { NOT_OFFERED, type Revision, SCENARIOS, type Scenario } from './scenarios.js';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const { MCP_NODE: node = '', MCP_SUITE: suite = '' } = process.env;
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const isWhole = !values.quick && values.only === undefined;

/** Runs the command of the suite in a folder of its own. */
async function command(args: readonly string[], read: (folder: string, out: string) => unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'apix-mcp-'));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const out = await new Promise<string>((resolve) => {
    // It ends with 1 if a check fails, which its files say as well.
    execFile(node, [suite, ...args], { cwd: folder, env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  try {
    return await read(folder, out);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function checksOf({ name }: Scenario, revision: Revision, url: string): Promise<Check[]> {
  const args = ['server', '--url', url, '--scenario', name, '--spec-version', revision];
  const checks = await command([...args, '--output-dir', 'results'], async (folder, out) => {
    const files = await readdir(folder, { recursive: true });
    const found = files.find((file) => file.endsWith('checks.json'));
    if (found === undefined) throw new Error(`${name} left no checks:\n${out}`);
    return JSON.parse(await readFile(join(folder, found), 'utf8')) as Check[];
  });
  return checks as Check[];
}

/** What is wrong with the checks of a scenario. */
function mistakesIn({ without = {} }: Scenario, checks: readonly Check[]): string[] {
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  const ids = new Set(failed.map(({ id }) => id));
  const passed = checks.filter(({ status }) => status === 'SUCCESS');
  return [
    ...failed
      .filter(({ id }) => without[id] === undefined)
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'failed'}`),
    ...Object.keys(without)
      .filter((id) => !ids.has(id))
      .map((id) => `${id} does not fail; remove its line`),
    ...(passed.length === 0 ? ['no check passed'] : []),
  ];
}

/** The server scenarios that a revision asks for and that have no line. */
async function missing(revision: Revision): Promise<string[]> {
  const listed = (await command(['list', '--requirements', revision], (_, out) => out)) as string;
  const [, servers = ''] = /Server scenarios[^\n]*\n([^]*?)\n\n/.exec(listed) ?? [];
  const names = servers.split('\n').map((line) => line.replace(/^\s*- /, ''));
  if (names.length < 10) throw new Error(`the suite lists other than expected:\n${listed}`);
  const isKnown = (name: string): boolean =>
    SCENARIOS.some((each) => each.name === name && each.revisions.includes(revision)) ||
    Object.keys(NOT_OFFERED).some((begin) => name.startsWith(begin));
  return names.filter((name) => !isKnown(name));
}

const { app, url } = await startSuite();
let failures = 0;
const report = (what: string, mistakes: readonly string[], passed: string): void => {
  failures += mistakes.length;
  console.log(mistakes.length === 0 ? `ok      ${what}: ${passed}` : `FAILED  ${what}`);
  for (const mistake of mistakes) console.log(`          ${mistake}`);
};
for (const revision of ['2026-07-28', '2025-11-25'] as const) {
  for (const scenario of SCENARIOS) {
    const { name, revisions, isQuick = false, without = {} } = scenario;
    if (!revisions.includes(revision) || (values.quick && !isQuick)) continue;
    if (values.only !== undefined && !name.includes(values.only)) continue;
    const checks = await checksOf(scenario, revision, url);
    const count = checks.filter(({ status }) => status === 'SUCCESS').length;
    const left = Object.keys(without).length;
    const passed = `${count} checks${left === 0 ? '' : `, ${left} not offered`}`;
    report(`${revision} ${name}`, mistakesIn(scenario, checks), passed);
  }
  if (isWhole) report(`${revision} every scenario has a line`, await missing(revision), 'yes');
}
if (isWhole) {
  console.log('\nNot offered:');
  for (const [begin, reason] of Object.entries(NOT_OFFERED)) console.log(`  ${begin}: ${reason}`);
}
await app.close();
console.log(failures === 0 ? 'passed' : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
