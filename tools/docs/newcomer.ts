import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Program, program } from '../testing/program.js';

/** Our packages with programs: they are built from their sources, as npm would install them. */
const WITH_BIN = ['authz', 'gateway'];

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** An empty folder in which somebody has installed what a page asks for, and nothing else. */
export class Newcomer {
  private constructor(
    private readonly folder: string,
    private readonly programs: readonly Program[],
  ) {}

  /** @param root of this repository, whose `node_modules` stand in for the registry. */
  static async at(root: string): Promise<Newcomer> {
    const folder = mkdtempSync(join(tmpdir(), 'apix-newcomer-'));
    const bin = join(folder, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    symlinkSync(join(root, 'node_modules/.bin/buf'), join(bin, 'buf'));
    // A dependency of both.
    const protos = join(folder, 'node_modules/@apix/proto/proto');
    cpSync(join(root, 'libs/proto/proto'), protos, { recursive: true });
    const programs: Program[] = [];
    for (const name of WITH_BIN) {
      const lib = join(root, 'libs', name);
      const home = join(folder, 'node_modules/@apix', name);
      mkdirSync(home, { recursive: true });
      cpSync(join(lib, 'package.json'), join(home, 'package.json'));
      if (name === 'authz') cpSync(join(lib, 'proto'), join(home, 'proto'), { recursive: true });
      const built = await program(pathToFileURL(join(lib, 'src/cli/main.ts')));
      programs.push(built);
      const [command] = Object.keys(binsOf(home));
      writeFileSync(join(bin, command!), `#!/bin/sh\nexec node '${built.file}' "$@"\n`);
      chmodSync(join(bin, command!), 0o755);
    }
    return new Newcomer(folder, programs);
  }

  write(path: string, text: string): void {
    const target = join(this.folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** Runs lines of a shell as they stand; the first that fails ends them. */
  run(script: string): Ran {
    const env = { ...process.env, NODE_OPTIONS: '', npm_config_offline: 'true' };
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], {
      cwd: this.folder,
      env,
      encoding: 'utf8',
    });
    return { status, out: stdout, err: stderr };
  }

  async leave(): Promise<void> {
    rmSync(this.folder, { recursive: true });
    for (const built of this.programs) await built.remove();
  }
}

function binsOf(home: string): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  return manifest.bin;
}
