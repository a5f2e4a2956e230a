/**
 * Counts the files and functions of the packages that one doing of an action runs:
 * `npm run footprint -- [action...] [--list] [--json] [--rounds N] [--root DIR]`. With `--check` it fails
 * if a path is longer than footprint.json says; `--record` writes the measured lengths there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackages } from '../architecture/package-tree.js';
import { byFloor } from './floor-order.js';
import { ACTIONS, type Action, measure } from './measure.js';
import { longerPaths, recordOf, type RecordedPaths } from './ratchet.js';
import { functionsOf, listOf, tableOf } from './report.js';
import type { UsedFile } from './used-files.js';

/**
 * How often a path that is longer than recorded is measured again: a minute that begins, or a timer that was due, only
 * ever adds to it.
 */
const RETRIES = 2;

const home = process.cwd();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: home },
    rounds: { type: 'string', default: '100' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const root = resolve(values.root);
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new Error(`footprint: --rounds: "${values.rounds}" is not a number of rounds`);
}
const actions = positionals.length > 0 ? positionals.map(actionOf) : ACTIONS;

buildDemo();
const compare = byFloor(readPackages(root));
const footprints = new Map<Action, readonly UsedFile[]>();
for (const action of actions) await measureInto(footprints, action);
const record = join(home, 'tools/footprint/footprint.json');
const recorded = JSON.parse(readFileSync(record, 'utf8')) as RecordedPaths;
for (let again = 0; values.check && again < RETRIES; again++) {
  for (const action of actions.filter(isLonger)) await measureInto(footprints, action);
}
if (values.json) console.log(JSON.stringify(Object.fromEntries(footprints), null, 2));
else console.log(values.list ? listOf(footprints) : tableOf(footprints));

if (values.record) {
  const renewed = { ...recorded, ...recordOf(footprints) };
  writeFileSync(record, `${JSON.stringify(renewed, null, 2)}\n`);
}
if (values.check) check(longerPaths(footprints, recorded));

/** Of several measurements of a path, the shortest stays. */
async function measureInto(into: Map<Action, readonly UsedFile[]>, action: Action): Promise<void> {
  const files = await measure(action, {
    root,
    subjects: join(home, 'tools/footprint/subjects'),
    rounds,
  });
  const former = into.get(action);
  if (former !== undefined && functionsOf(former) <= functionsOf(files)) return;
  into.set(
    action,
    files.toSorted((a, b) => compare(a.path, b.path)),
  );
}

function isLonger(action: Action): boolean {
  return longerPaths(new Map([[action, footprints.get(action)!]]), recorded).length > 0;
}

function check(longer: readonly string[]): void {
  if (longer.length === 0) return;
  console.error(
    [
      'footprint: paths became longer than tools/footprint/footprint.json says:',
      ...longer.map((line) => `  - ${line}`),
      'Make them shorter, or add {"files": N, "functions": N, "reason": "..."} to "grown" of the path;',
      '`npm run footprint -- --list ACTION` shows what runs.',
    ].join('\n'),
  );
  process.exitCode = 1;
}

function actionOf(text: string): Action {
  const action = ACTIONS.find((name) => name === text);
  if (action !== undefined) return action;
  throw new Error(`footprint: "${text}" is not an action; use ${ACTIONS.join(', ')}`);
}

function buildDemo(): void {
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  if (!existsSync(nest)) {
    throw new Error(`footprint: ${root} does not have its dependencies; run npm ci there`);
  }
  execFileSync(process.execPath, [nest, 'build', 'demo'], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: 'pipe',
  });
}
