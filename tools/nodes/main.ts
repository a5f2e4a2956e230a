/**
 * Runs the tests on every line of Node that is supported, each from npm:
 * `npm run test:nodes [-- <major>... [jest arguments]]`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const MAJORS = ['20', '22', '24', '26'];

const root = process.cwd();
const asked = process.argv.slice(2);
const chosen = asked.filter((argument) => MAJORS.includes(argument));
const jestArguments = asked.filter((argument) => !MAJORS.includes(argument));
const results = (chosen.length > 0 ? chosen : MAJORS).map((major) => {
  const bin = install(major);
  const version = output(join(bin, 'node'), ['--version']);
  console.log(`\n=== Node ${version}`);
  const { status } = spawnSync(
    join(bin, 'node'),
    [join(root, 'node_modules/jest/bin/jest.js'), ...jestArguments],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        // Tests that start Node themselves start this one.
        PATH: bin + delimiter + (process.env['PATH'] ?? ''),
        NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
      },
    },
  );
  return { version, passed: status === 0 };
});
console.log('');
for (const { version, passed } of results)
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${version}`);
if (results.some(({ passed }) => !passed)) process.exitCode = 1;

/** The folder of a Node of that line, as npm has it. */
function install(major: string): string {
  const folder = join(root, 'node_modules/.cache/apix-nodes', major);
  mkdirSync(folder, { recursive: true });
  const name = `node-${process.platform}-${process.arch}`;
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const { status, stderr } = spawnSync('npm', [...args, `${name}@${major}`], {
    encoding: 'utf8',
    // The repository's own settings are not for this.
    cwd: folder,
  });
  if (status !== 0) throw new Error(`Node ${major} cannot be had from npm: ${stderr}`);
  return join(folder, 'node_modules', name, 'bin');
}

function output(command: string, args: readonly string[]): string {
  return spawnSync(command, [...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  }).stdout.trim();
}
