import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DebuggedProcess } from './debugged-process.js';
import { usedFiles } from './used-files.js';

/** Two packages as they are compiled, and a program that uses them. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'libs/one/src/deep/counted.js': `
    import { elsewhere } from '../../../two/src/other.js';
    export class Counted {
      #field = 1;
      constructor() { this.other = 2; }
      get size() { return this.#field; }
      never() {}
      once() { return this.size; }
      everyThird(round) { if (round % 3 === 0) rare(); }
    }
    function _ts_decorate() {}
    function rare() {}
    function atStart() {}
    export function atExit() {}
    export const call = (round) => {
      const it = new Counted();
      _ts_decorate();
      it.once();
      it.everyThird(round);
      [1].forEach((value) => value);
      elsewhere();
    };
    atStart();`,
  'libs/two/src/other.js': `
    import { generated } from './gen/made.js';
    export function elsewhere() { generated(); }`,
  'libs/two/src/gen/made.js': 'export function generated() {}',
  'apps/main.js': `
    import { atExit, call } from '../libs/one/src/deep/counted.js';
    globalThis.call = call;
    globalThis.fail = () => { throw new Error('as told'); };
    process.on('exit', atExit);
    process.on('SIGTERM', () => process.exit(0));
    setInterval(() => {}, 60_000);
    console.log('ready');`,
};

let folder: string;
let libs: string;
let subject: DebuggedProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'apix-used-files-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  libs = `${pathToFileURL(join(folder, 'libs')).href}/`;
  subject = await DebuggedProcess.start(['apps/main.js'], { cwd: folder });
  await subject.said(/^ready$/m);
});

afterEach(async () => {
  await subject.kill();
  rmSync(folder, { recursive: true });
});

describe('a process whose calls are counted', () => {
  it('has the functions that ran once, none that never ran, and those of other files', async () => {
    await subject.take();
    await subject.evaluate('call(1)');
    expect(usedFiles(await subject.take(), libs, 1)).toEqual([
      {
        path: 'one/deep/counted.ts',
        functions: ['Counted', 'get size', 'once', 'everyThird', 'call', '(anonymous)'],
      },
      { path: 'two/other.ts', functions: ['elsewhere'] },
    ]);
  });

  it('has what ran while it was loaded, but not the loading itself', async () => {
    expect(usedFiles(await subject.take(), libs, 1)).toEqual([
      { path: 'one/deep/counted.ts', functions: ['atStart'] },
    ]);
  });

  it('has nothing when nothing ran since the last look', async () => {
    await subject.evaluate('call(1)');
    await subject.take();
    expect(usedFiles(await subject.take(), libs, 1)).toEqual([]);
  });

  it('leaves out what did not run in every round', async () => {
    await subject.take();
    for (let round = 0; round < 6; round++) await subject.evaluate(`call(${round})`);
    const coverage = await subject.take();
    const functionsAt = (atLeast: number): readonly string[] =>
      usedFiles(coverage, libs, atLeast).flatMap(({ functions }) => functions);
    expect(functionsAt(6)).not.toContain('rare');
    expect(functionsAt(6)).toContain('everyThird');
    expect(functionsAt(2)).toContain('rare');
  });

  it('has what ran up to its exit handlers when it ends', async () => {
    await subject.take();
    expect(usedFiles(await subject.runToExit('SIGTERM'), libs, 1)).toEqual([
      { path: 'one/deep/counted.ts', functions: ['atExit'] },
    ]);
  });

  it('hands on what an expression throws', async () => {
    await expect(subject.evaluate('fail()')).rejects.toThrow(
      /^footprint: fail\(\): Error: as told/,
    );
  });

  it('rejects a wait for what it does not say when it ends', async () => {
    const waiting = expect(subject.said(/never/)).rejects.toThrow(
      /ended without \/never\/:\nready/,
    );
    await subject.kill();
    await waiting;
  });
});

it('a process that cannot start rejects with what Node says', async () => {
  const started = DebuggedProcess.start(['--no-such-flag'], { cwd: folder });
  await expect(started).rejects.toThrow(/footprint: the process did not start: .*no-such-flag/);
});
