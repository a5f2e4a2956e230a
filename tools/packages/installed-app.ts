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

/** A folder with our packages and those that are asked for, and nothing else. */
export class InstalledApp {
  private constructor(private readonly folder: string) {}

  /** @param root of this repository, whose sources become our packages. */
  static at(root: string): InstalledApp {
    const folder = mkdtempSync(join(tmpdir(), 'apix-installed-'));
    for (const name of readdirSync(join(root, 'libs'))) {
      const home = join(folder, 'node_modules/@apix', name);
      compile(join(root, 'libs', name, 'src'), join(home, 'dist'));
      cpSync(join(root, 'libs', name, 'package.json'), join(home, 'package.json'));
    }
    return new InstalledApp(folder);
  }

  /** Has exactly these packages of others, as `root` has them installed. */
  install(root: string, names: readonly string[]): void {
    const home = join(this.folder, 'node_modules');
    for (const name of readdirSync(home)) {
      if (name !== '@apix') rmSync(join(home, name), { recursive: true });
    }
    for (const name of names) {
      const target = join(root, 'node_modules', name);
      if (!existsSync(target)) throw new Error(`${name} is not installed in ${root}`);
      mkdirSync(dirname(join(home, name)), { recursive: true });
      symlinkSync(target, join(home, name));
    }
  }

  /** What a program prints that imports, or requires, an entry: its exports, or why it cannot. */
  load(entry: string, how: 'import' | 'require'): string {
    const print = 'const print = (found) => console.log(Object.keys(found).join(" "));';
    const code =
      how === 'import'
        ? `${print} print(await import('${entry}'));`
        : `${print} print(require('${entry}'));`;
    const file = join(this.folder, how === 'import' ? 'app.mjs' : 'app.cjs');
    writeFileSync(file, code);
    const env = { ...process.env, NODE_OPTIONS: '' };
    const { stdout, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8' });
    return stdout + stderr.replaceAll(this.folder, '');
  }

  leave(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function compile(src: string, dist: string): void {
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
    const target = join(dist, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}
