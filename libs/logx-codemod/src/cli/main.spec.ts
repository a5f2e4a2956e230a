import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltPackage, builtPackage } from '../../../../tools/testing/built-package.js';
import { migrationCommand } from './migration-command.js';

const home = fileURLToPath(new URL('../../', import.meta.url));
let built: BuiltPackage;
let program: string;

const MAIN = `import { Logger } from 'nestjs-pino';

app.useLogger(app.get(Logger));
`;
const CHANGED = `import { LogxLoggerService } from '@apix/logx';

app.useLogger(app.get(LogxLoggerService));
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'apix-codemod-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

/** The command on the folder, in this process. */
function migrated(...args: string[]) {
  const said = { stdout: '', stderr: '' };
  const status = migrationCommand([folder, ...args], {
    print: (text) => void (said.stdout += text),
    complain: (text) => void (said.stderr += text),
  });
  const stdout = said.stdout.replaceAll(` ${folder}/`, ' ').replaceAll(`/${folder.slice(1)}/`, '/');
  return { status, stdout, stderr: said.stderr };
}

function run(args: readonly string[], file = program) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  });
  return { status, stdout, stderr };
}

describe('the command apix-logx-from-nestjs-pino', () => {
  it('prints a diff and changes nothing, unless it is told to', () => {
    write('src/main.ts', MAIN);
    const { status, stdout, stderr } = migrated();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('1 files read, 1 to change, 0 places left over; --write changes them');
    expect(read('src/main.ts')).toBe(MAIN);
  });

  it.each([
    ['--quiet', '1 to change, 0 places left over; --write changes them', MAIN],
    ['--write', '1 changed, 0 places left over', CHANGED],
  ])('prints the summary alone with %s', (flag, summary, after) => {
    write('main.ts', MAIN);
    expect(migrated(flag).stdout).toBe(`\n1 files read, ${summary}\n`);
    expect(read('main.ts')).toBe(after);
  });

  it('prints a diff that patches the files to what --write makes of them', () => {
    const long = `${MAIN}${'// A line.\n'.repeat(40)}export const nest = app.get(Logger);`;
    write('main.ts', long);
    const { stdout } = migrated();
    migrated('--write');
    const expected = read('main.ts');
    write('main.ts', long);
    write('a.patch', stdout.slice(0, stdout.indexOf('\n1 files read')));
    execFileSync('git', ['apply', '--unsafe-paths', 'a.patch'], { cwd: folder });
    expect(read('main.ts')).toBe(expected);
    expect(stdout.match(/^@@ /gm)).toHaveLength(2);
  });

  it('changes the files with --write, and nothing a second time', () => {
    write('main.ts', MAIN);
    expect(migrated('--write')).toMatchObject({ status: 0, stderr: '' });
    expect(read('main.ts')).toBe(CHANGED);
    expect(migrated('--write').stdout).toContain('0 changed, 0 places left over');
    expect(read('main.ts')).toBe(CHANGED);
  });

  it('keeps a byte order mark and the ends of lines', () => {
    write('main.ts', `\uFEFF${MAIN.replaceAll('\n', '\r\n')}`);
    migrated('--write');
    expect(read('main.ts')).toBe(`\uFEFF${CHANGED.replaceAll('\n', '\r\n')}`);
  });

  it('leaves alone what is not of the app', () => {
    const others = ['node_modules/a/main.ts', 'dist/main.js', '.git/main.ts', 'types.d.ts', 'a.md'];
    for (const path of others) write(path, MAIN);
    symlinkSync(folder, join(folder, 'loop'));
    const { status, stdout } = migrated('--write');
    expect([status, stdout]).toEqual([0, '\n0 files read, 0 changed, 0 places left over\n']);
    expect(others.map((path) => read(path))).toEqual(others.map(() => MAIN));
  });

  it.each<[string, string, string | Uint8Array, string]>([
    ['a mistake of syntax', 'a.ts', `${MAIN}class {{`, 'a.ts:1: a mistake of syntax'],
    ['JavaScript', 'a.cjs', "const { Logger } = require('nestjs-pino');\n", 'a.cjs:1: JavaScript'],
    ['another encoding', 'a.ts', Uint8Array.of(0x2f, 0x2f, 0xe4, 0x0a), 'a.ts: not read: '],
    ['an enormous file', 'a.ts', '//'.repeat(3_000_000), 'a.ts: not read: it has 6000000 bytes'],
    ['a derived class', 'a.ts', MAIN + 'class A extends Logger {}\n', 'a.ts:4: Logger, extended'],
    [
      'a place below an empty line',
      'a.ts',
      `\n${MAIN}class A extends Logger {}\n`,
      'a.ts:5: Logger, extended',
    ],
  ])('exits with 1 and names %s', (_what, path, content, said) => {
    write(path, content);
    const { status, stdout, stderr } = migrated('--write');
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain(`\nLeft over:\n  ${said}`);
    expect(readFileSync(join(folder, path)).equals(Buffer.from(content))).toBe(true);
  });
});

describe('a folder that cannot be read', () => {
  // Not by permissions, which root is not held to: Linux takes no path of more than 4096 bytes.
  const deep = join(...Array<string>(12).fill('d'.repeat(200)));

  beforeEach(() => {
    write('main.ts', MAIN);
    for (const half of ['outer', 'inner']) mkdirSync(join(folder, half, deep), { recursive: true });
    renameSync(join(folder, 'inner'), join(folder, 'outer', deep, 'inner'));
  });
  afterEach(() => renameSync(join(folder, 'outer', deep, 'inner'), join(folder, 'inner')));

  it('is named, and the exit status is 1', () => {
    const { status, stdout } = migrated();
    expect(stdout).toContain('1 files read, 1 to change, 1 places left over');
    expect(stdout).toContain(': not read: ENAMETOOLONG');
    expect(status).toBe(1);
  });
});

describe('the command apix-logx-from-nestjs-pino of the built package', () => {
  beforeAll(async () => {
    built = await builtPackage(home);
    program = built.command('apix-logx-from-nestjs-pino');
  }, 300_000);
  afterAll(() => built.remove());

  it('is a program for node', () => {
    expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it.each([
    ['a path that is not there', ['nowhere'], 'nowhere does not exist'],
    ['an option that it does not have', ['--nope'], "Unknown option '--nope'"],
  ])(
    'exits with 2 for %s',
    (_what, args, message) => {
      const { status, stdout, stderr } = run(args);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^apix-logx-from-nestjs-pino: .*\n$/);
      expect(stderr).toContain(message);
    },
    60_000,
  );

  it('exits with 2 where a file cannot be written, and names it', () => {
    write('main.ts', MAIN);
    const limited = `ulimit -f 0; exec '${process.execPath}' '${program}' --write`;
    const { status, stderr } = spawnSync('sh', ['-c', limited], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toMatch(/^apix-logx-from-nestjs-pino: cannot write main\.ts: EFBIG.*\n$/);
    expect(status).toBe(2);
  });

  it('explains every option', () => {
    const { status, stdout } = run(['--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/--write .*\n +--quiet .*\n +-h, --help/);
  });

  it.each([
    ['is not there', undefined, "Cannot find package 'typescript'"],
    ['has no interface for JavaScript', 'export default {};', 'it has no createSourceFile'],
  ])(
    'says what to install where typescript %s',
    (_what, typescript, message) => {
      cpSync(join(built.home, 'dist'), join(folder, 'dist'), { recursive: true });
      write('package.json', '{ "type": "module" }');
      if (typescript !== undefined) {
        write('node_modules/typescript/package.json', '{ "type": "module", "main": "index.js" }');
        write('node_modules/typescript/index.js', typescript);
      }
      const { status, stderr } = run([], join(folder, 'dist/cli/main.js'));
      expect(status).toBe(2);
      expect(stderr).toContain('cannot use typescript; run npm install --save-dev typescript@6: ');
      expect(stderr).toContain(message);
    },
    60_000,
  );
});
