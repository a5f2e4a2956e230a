import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { errorLines } from '../../../tools/testing/error-lines.js';
import { type Program, program } from '../../../tools/testing/program.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)];
const codes = blocks.filter(([, language]) => language === 'ts').map(([, , code]) => code!);
const [printed] = blocks.filter(([, language]) => language === 'text').map(([, , text]) => text!);
const folder = new URL('.', import.meta.url);

describe('the README', () => {
  let app: Program;
  beforeAll(async () => {
    app = await program({ code: codes[0]!, folder });
  });
  afterAll(() => app.remove());

  it('prints what it says', async () => {
    const child = app.run();
    await child.said('report');
    child.process.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 0, out: printed });
  });

  it('writes no error at start and stop, with the logger of Nest', async () => {
    const code = codes[0]!.replace(', nest: { logger: false }', '');
    expect(code).not.toBe(codes[0]);
    const loud = await program({ code, folder });
    try {
      const child = loud.run();
      await child.said('report');
      child.process.kill('SIGTERM');
      expect(errorLines(await child.ended)).toEqual([]);
    } finally {
      await loud.remove();
    }
  });

  it('shows jobs without Nest that a host runs', async () => {
    const code = `${codes[1]!}\nconsole.log('ended');`;
    const host = await program({
      code: code.replace('.build()', ".onStarted(() => console.log('started')).build()"),
      folder,
    });
    try {
      const child = host.run();
      await child.said('started');
      child.process.kill('SIGTERM');
      const { code: exitCode, out } = await child.ended;
      expect(exitCode).toBe(0);
      expect(out).toMatch(/^hostx: Host is starting .*\nstarted\n.*Host is stopped .*\nended\n$/s);
    } finally {
      await host.remove();
    }
  });
});

describe('@apix/cron/core', () => {
  it('reaches nothing of Nest and nothing of BullMQ', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('./core/index.ts', import.meta.url))],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      external: ['@nestjs/*', 'rxjs', 'reflect-metadata', 'bullmq', 'croner', 'yaml'],
    });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    const outside = imports.map(({ path }) => path).filter((path) => !path.startsWith('node:'));
    expect(outside.filter((path) => path !== 'yaml')).toEqual(['croner']);
  });
});
