// A folder outside the workspace, in which packages are installed and used as users do.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What `loadEntries` needs to be installed. */
export const COMPILER = ['typescript@6', '@types/node@20'];
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: false,
    types: ['node'],
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    outDir: 'dist',
  },
};

/** As many CommonJS apps have it: a resolution that does not read `exports`. */
const NODE10 = {
  compilerOptions: {
    ...TSCONFIG.compilerOptions,
    module: 'commonjs',
    moduleResolution: 'node10',
    ignoreDeprecations: '6.0',
    // Types of others, such as those of @bufbuild/protobuf, import subpaths that node10 cannot find.
    skipLibCheck: true,
  },
};

const run = promisify(execFile);
const env = { ...process.env, NODE_OPTIONS: '' };

/** Gives `work` an empty folder, in which npm finds the packages of `registry`. */
export async function inFolder(registry, work) {
  const folder = await mkdtemp(join(tmpdir(), 'apix-alone-'));
  try {
    await writeFile(join(folder, '.npmrc'), registry.npmrc);
    await writeFile(join(folder, 'package.json'), '{"name":"alone","private":true}');
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function install(folder, packages) {
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  await run('npm', args, { cwd: folder, env });
}

/** Throws where npm installed a peer outside the range that a package asks for; it only warns then. */
export async function checkTree(folder) {
  const options = { cwd: folder, env, maxBuffer: 2 ** 26 };
  await run('npm', ['ls', '--all'], options).catch(({ message, stderr }) => {
    throw new Error(stderr || message);
  });
}

/** What can be imported of a package. */
export function entriesOf({ name, exports }) {
  return Object.entries(exports)
    .filter(([, target]) => typeof target !== 'string')
    .map(([path]) => (path === '.' ? name : `${name}${path.slice(1)}`));
}

/** Every entry must compile against its types, load from both kinds of module, and export something. */
export async function loadEntries(folder, entries) {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await compileAndRun(folder, 'esm.mts', moduleOf(entries));
  await compileAndRun(folder, 'cjs.cts', scriptOf(entries));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(NODE10));
  await compileAndRun(folder, 'node10.ts', scriptOf(entries));
}

/** Every entry must load and export something. */
export async function importEntries(folder, entries) {
  await writeFile(join(folder, 'esm.mjs'), moduleOf(entries));
  await run(process.execPath, [join(folder, 'esm.mjs')], { cwd: folder, env });
}

function moduleOf(entries) {
  const imports = entries.map((entry, index) => `import * as m${index} from '${entry}';`);
  return [`import 'reflect-metadata';`, ...imports, ...checksOf(entries)].join('\n');
}

function scriptOf(entries) {
  const imports = entries.map((entry, index) => `import m${index} = require('${entry}');`);
  return [`require('reflect-metadata');`, ...imports, ...checksOf(entries)].join('\n');
}

function checksOf(entries) {
  return entries.map(
    (entry, index) =>
      `if (Object.keys(m${index}).length === 0) throw new Error('nothing in ${entry}');`,
  );
}

async function compileAndRun(folder, file, text) {
  await writeFile(join(folder, file), text);
  await run('npx', ['tsc', '--noEmit', 'false'], { cwd: folder });
  const compiled = file.replace('.mts', '.mjs').replace('.cts', '.cjs').replace(/\.ts$/, '.js');
  await run(process.execPath, [join(folder, 'dist', compiled)], { cwd: folder, env });
  await rm(join(folder, file));
}
