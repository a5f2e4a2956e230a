// Takes a small app on nestjs-pino through the codemod: compiles and runs it before and after, sends both the
// same requests, and compares their lines by level, text, logger, error and fields.
// node conformance/from-nestjs-pino/run.mjs
import { execFile, fork } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installed } from '../installed.mjs';
import { readable } from './readable.mjs';

const run = promisify(execFile);
const here = import.meta.dirname;
const root = join(here, '..', '..');
const PATHS = ['/place', '/missing', '/nowhere', '/health'];
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'nodenext',
    outDir: 'out',
    strict: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  },
  include: ['*.ts'],
};

installed(here);
for (const name of ['contracts', 'calls', 'logx']) {
  const home = join(here, 'node_modules', '@apix', name);
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  for (const part of ['package.json', 'dist']) {
    await cp(join(root, 'libs', name, part), join(home, part), { recursive: true });
  }
}
const folder = await mkdtemp(join(here, 'node_modules', '.app-'));
try {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const name of await readdir(join(here, 'app'))) {
    await cp(join(here, 'app', name), join(folder, name.replace(/\.txt$/, '')));
  }
  const before = await logged('before');
  const codemod = join(root, 'libs/logx-codemod/dist/cli/main.js');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  const { stdout } = await run(process.execPath, [codemod, '--write', ...files], { cwd: folder });
  console.log(stdout.trim());
  for (const name of files) {
    const text = await readFile(join(folder, name), 'utf8');
    if (text.includes('nestjs-pino')) throw new Error(`${name} still has nestjs-pino`);
  }
  const after = await logged('after');
  compare(before, after);
} finally {
  await rm(folder, { recursive: true });
}

/** What the app logs when it is compiled, started and asked. */
async function logged(when) {
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    ({ stdout }) => {
      throw new Error(`the app does not compile ${when}:\n${stdout}`);
    },
  );
  const app = fork(join(folder, 'out/main.js'), { silent: true, execArgv: [] });
  let out = '';
  app.stdout.on('data', (data) => (out += data));
  app.stderr.on('data', (data) => process.stderr.write(data));
  const ended = Promise.all([once(app, 'exit'), once(app.stdout, 'end')]);
  const [url] = await Promise.race([
    once(app, 'message'),
    ended.then(() => {
      throw new Error(`the app does not start ${when}: ${out}`);
    }),
  ]);
  for (const path of PATHS) {
    const response = await fetch(url + path, { headers: { 'x-request-id': 'r-1' } });
    await response.text();
  }
  app.kill('SIGTERM');
  await ended;
  return out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => readable(JSON.parse(line)))
    .filter(({ logger }) => !/^(?:Nest|Router|Routes|Instance)/.test(logger ?? ''));
}

function compare(before, after) {
  const texts = (lines) => lines.map((line) => JSON.stringify(line));
  const [one, other] = [texts(before), texts(after)];
  const missing = one.filter((line) => !other.includes(line));
  const added = other.filter((line) => !one.includes(line));
  for (const line of missing) console.error(`only before: ${line}`);
  for (const line of added) console.error(`only after:  ${line}`);
  const isSame =
    missing.length + added.length === 0 && one.length === other.length && one.length > 10;
  console.log(
    `${one.length} lines before, ${other.length} after, ${isSame ? 'the same' : 'NOT the same'}`,
  );
  if (!isSame) process.exitCode = 1;
}
