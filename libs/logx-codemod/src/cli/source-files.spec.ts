import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findSources } from './source-files.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'source-files-'));
  mkdirSync(join(folder, 'b'));
  for (const name of ['a.ts', 'b/c.mts', 'b/c.d.ts', 'b/read.me']) {
    writeFileSync(join(folder, name), `// ${name}\n`);
  }
});
// Its paths may be longer than Node takes.
afterAll(() => void execFileSync('rm', ['-rf', folder]));

describe('the sources below a folder', () => {
  it('are those that people write', () => {
    const { files, unreadable } = findSources([folder]);
    expect(files.map(({ text }) => text)).toEqual(['// a.ts\n', '// b/c.mts\n']);
    expect(unreadable).toEqual([]);
  });

  it('are those that can be read, where a folder cannot be, which is told', () => {
    // A path beyond the limit of the system, which even root cannot open.
    // A path beyond the limit of the system, which even root cannot open; Node itself cannot make one.
    const name = 'x'.repeat(200);
    const deeper = `for (let i = 0; i < 25; i++) { fs.mkdirSync(name); process.chdir(name); }`;
    const code = `const fs = require('fs'), name = '${name}'; ${deeper}`;
    execFileSync(process.execPath, ['-e', code], { cwd: join(folder, 'b') });
    const { files, unreadable } = findSources([folder]);
    expect(files).toHaveLength(2);
    expect(unreadable).toEqual([
      { path: expect.stringContaining(folder), reason: expect.stringContaining('ENAMETOOLONG') },
    ]);
  });
});
