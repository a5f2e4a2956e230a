import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readPackages } from '../architecture/package-tree.js';
import { withClassNames } from './class-names.js';
import { MODULES, bundlePackage } from './bundle-package.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'apix-bundle-'));

const MANIFEST = {
  type: 'module',
  sideEffects: false,
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './core': { types: './dist/core/index.d.ts', default: './dist/core/index.js' },
    './proto/*': './proto/*',
  },
  bin: { 'apix-shop': './dist/cli/main.js' },
};

const MODULE_TEXTS = {
  'index.js': "export { Shop } from './shop.js'; export { late } from './late.js';",
  'core/index.js': "export { Shop } from '../shop.js';",
  // As tsc writes a class with a decorator, and one that names itself.
  'shop.js': `
    import { EOL } from '@apix/other';
    var Shop_1;
    let Shop = Shop_1 = class Shop { static make() { return new Shop_1(); } eol = () => EOL; };
    export { Shop };
  `,
  'late.js': "export const late = () => import('./heavy.js');",
  'heavy.js': "export { jose } from './npm-install/jose.js';",
  'npm-install/jose.js': "export * as jose from 'jose';",
  'cli/main.js': "#!/usr/bin/env node\nconsole.log('at your service');",
};

function write(path: string, text: string): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function read(path: string): string {
  return readFileSync(join(home, 'dist', path), 'utf8');
}

beforeAll(async () => {
  write('package.json', JSON.stringify(MANIFEST));
  for (const [path, text] of Object.entries(MODULE_TEXTS)) write(join(MODULES, path), text);
  write('dist/chunks/chunk-FORMER.js', '');
  write('dist/shop.js', '');
  write('dist/shop.d.ts', '');
  write('node_modules/@apix/other/package.json', '{ "type": "module", "exports": "./index.js" }');
  write('node_modules/@apix/other/index.js', "export const EOL = '\\n';");
  await bundlePackage(home);
});

afterAll(() => rmSync(home, { recursive: true }));

it('A package has a file for each entry point, command and optional peer, and chunks', () => {
  const files = readdirSync(join(home, 'dist'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.js') && !path.startsWith('.modules'));
  expect(files.filter((path) => !path.includes('-')).toSorted()).toEqual([
    'cli/main.js',
    'core/index.js',
    'index.js',
  ]);
  expect(files).toContain('npm-install/jose.js');
  expect(files).not.toContain('chunks/chunk-FORMER.js');
  expect(read('shop.d.ts')).toBe('');
});

it('A class is the same class from every entry point, and other packages stay imports', () => {
  const program = `
    import { Shop } from './dist/index.js';
    import { Shop as Core } from './dist/core/index.js';
    console.log(Shop === Core, Shop.name, JSON.stringify(new Shop().eol()));
  `;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: home,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(said).toBe('true Shop "\\n"\n');
});

it('Two classes of one name in a package are a mistake, as one would show another name', () => {
  const one = 'var Shop = class {';
  const other = 'var Shop2 = class extends Error {';
  const names = new Set(['Shop']);
  expect(withClassNames(one, names)).toBe(one);
  expect(() => withClassNames(other, names)).toThrow('one of them became Shop2; rename it');
});

it('A missing optional peer is imported by the file that says how to install it', () => {
  const heavy = readdirSync(join(home, 'dist/chunks')).find((file) => file.startsWith('heavy-'));
  expect(read(join('chunks', heavy!))).toContain('"../npm-install/jose.js"');
  expect(read('npm-install/jose.js')).toBe(MODULE_TEXTS['npm-install/jose.js']);
});

it('A module that is imported when needed is not loaded with the entry point', () => {
  expect(read('index.js')).not.toContain('jose');
  expect(read('index.js')).toMatch(/import\("\.\/chunks\/heavy-\w+\.js"\)/);
});

it('A command keeps the line by which the shell finds Node', () => {
  expect(read('cli/main.js')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

/** The Nest CLI loads the modules of schematics one by one, by their files. */
const OF_SCHEMATICS = 'start';
const LIBRARIES = readPackages(root).filter(
  ({ folder, manifest }) => manifest.type === 'module' && folder !== OF_SCHEMATICS,
);

it.each(LIBRARIES.map(({ folder }) => folder))('%s is compiled where bundles are made', (name) => {
  const of = (file: string): unknown =>
    JSON.parse(readFileSync(join(root, 'libs', name, file), 'utf8'));
  expect(of('tsconfig.lib.json')).toMatchObject({
    compilerOptions: { outDir: MODULES, declarationDir: 'dist' },
  });
  const { files, scripts } = of('package.json') as {
    files: readonly string[];
    scripts: Readonly<Record<string, string>>;
  };
  expect(files).toContain(`!${MODULES}`);
  expect(scripts['prepack']).toBe(
    'node ../../node_modules/typescript-7/bin/tsc -b tsconfig.lib.json && node ../../tools/run.mjs bundle .',
  );
});
