import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { MODULES, bundlePackage } from '../bundle/bundle-package.js';

/** How many exports were found, or why there are none. */
export interface Loaded {
  readonly imported: number | string;
  readonly required: number | string;
}

const PROGRAM = `
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const attempt = async (load) => {
  try {
    return Object.keys(await load()).length;
  } catch (error) {
    return error.message;
  }
};
const found = [];
for (const entry of process.argv.slice(2)) {
  const imported = await attempt(() => import(entry));
  const required = await attempt(() => require(entry));
  found.push([entry, { imported, required }]);
}
console.log(JSON.stringify(found));
process.exit();
`;

/** A folder with our packages and those that are asked for, and nothing else. */
export class InstalledApp {
  private constructor(private readonly folder: string) {}

  /** @param root of this repository, whose sources become our packages. */
  static async at(root: string): Promise<InstalledApp> {
    const folder = mkdtempSync(join(tmpdir(), 'apix-installed-'));
    for (const name of readdirSync(join(root, 'libs'))) {
      const home = join(folder, 'node_modules/@apix', name);
      compile(join(root, 'libs', name, 'src'), join(home, MODULES));
      cpSync(join(root, 'libs', name, 'package.json'), join(home, 'package.json'));
      await bundlePackage(home);
    }
    return new InstalledApp(folder);
  }

  /** Has exactly these packages of others, as `root` has them installed. */
  install(root: string, names: readonly string[]): void {
    const home = join(this.folder, 'node_modules');
    for (const name of readdirSync(home)) {
      if (name !== '@apix') rmSync(join(home, name), { recursive: true });
    }
    for (const name of new Set(names)) {
      const target = join(root, 'node_modules', name);
      if (!existsSync(target)) throw new Error(`${name} is not installed in ${root}`);
      mkdirSync(dirname(join(home, name)), { recursive: true });
      symlinkSync(target, join(home, name));
    }
  }

  /** What one program gets that imports, then requires, each of the entries. */
  load(entries: readonly string[]): ReadonlyMap<string, Loaded> {
    const file = join(this.folder, 'app.mjs');
    writeFileSync(file, PROGRAM);
    const env = { ...process.env, NODE_OPTIONS: '' };
    const { stdout, stderr } = spawnSync(process.execPath, [file, ...entries], {
      env,
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(stderr);
    return new Map(JSON.parse(stdout.replaceAll(this.folder, '')) as [string, Loaded][]);
  }

  leave(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function compile(src: string, modules: string): void {
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || /\.(?:spec|type-spec|fixture)\.ts$/.test(path)) continue;
    const { code } = transformSync(readFileSync(join(src, path), 'utf8'), {
      jsc: {
        parser: { syntax: 'typescript', decorators: true },
        transform: {
          legacyDecorator: true,
          decoratorMetadata: true,
          useDefineForClassFields: false,
        },
        target: 'es2023',
      },
      module: { type: 'es6' },
    });
    const target = join(modules, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}
