import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { errorLines } from '../../../tools/testing/error-lines.js';
import { type Program, program } from '../../../tools/testing/program.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)];
const [example] = blocks.filter(([, language]) => language === 'ts').map(([, , code]) => code!);
const [printed] = blocks.filter(([, language]) => language === 'text').map(([, , text]) => text!);

describe('the example of the README', () => {
  let app: Program;
  beforeAll(async () => {
    app = await program({ code: example!, folder: new URL('.', import.meta.url) });
  });
  afterAll(() => app.remove());

  it('prints what the README says', async () => {
    const child = app.run();
    await child.said('outbox runs');
    child.process.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 0, out: printed });
  });

  it('writes no error at start and stop, without HostxModule and with the logger of Nest', async () => {
    const code = example!.replace(', nest: { logger: false }', '');
    expect(code).not.toBe(example);
    const loud = await program({ code, folder: new URL('.', import.meta.url) });
    try {
      const child = loud.run();
      await child.said('Host is running');
      child.process.kill('SIGTERM');
      const ended = await child.ended;
      expect(errorLines(ended)).toEqual([]);
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('bye') });
    } finally {
      await loud.remove();
    }
  });
});

describe('@apix/hostx/core', () => {
  it('reaches nothing of Nest', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('./core/index.ts', import.meta.url))],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      external: ['@nestjs/*', 'rxjs', 'reflect-metadata', 'yaml'],
    });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    const outside = imports.map(({ path }) => path).filter((path) => !path.startsWith('node:'));
    expect(outside.filter((path) => path !== 'yaml')).toEqual([]);
  });
});
