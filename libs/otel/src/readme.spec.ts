import { freePort } from '../../../tools/testing/free-port.js';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { errorLines } from '../../../tools/testing/error-lines.js';
import { program } from '../../../tools/testing/program.js';
import { samplesOf } from './scrape.fixture.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)];
const code = blocks.filter(([, language]) => language === 'ts').map(([, , text]) => text!);
const blockWith = (text: string): string | undefined => code.find((block) => block.includes(text));
const app = blockWith('MetricsModule.forRoot()');
const core = blockWith('prometheusHandler()');
const [served] = blocks.filter(([, language]) => language === 'text').map(([, , text]) => text!);
const folder = new URL('.', import.meta.url);

/** Runs code until it serves metrics, and returns them. */
async function metricsOf(code: string, port: number): Promise<Record<string, number>> {
  const main = await program({ code, folder });
  try {
    const child = main.run();
    await child.said('running');
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    const samples = samplesOf(await response.text());
    child.process.kill('SIGTERM');
    const ended = await child.ended;
    expect(ended.code).toBe(0);
    expect(errorLines(ended)).toEqual([]);
    return samples;
  } finally {
    await main.remove();
  }
}

describe('the README', () => {
  it('shows an app that serves what the README says', async () => {
    const port = await freePort();
    const main = `import 'reflect-metadata';\n${app!.replace('forRoot({})', `forRoot({ http: { port: ${port} }, drain: { delay: 0 } })`)}`;
    expect(await metricsOf(main, port)).toMatchObject(samplesOf(served!));
  });

  it('shows a host without Nest that serves its metrics from a port of its own', async () => {
    const port = await freePort();
    const main = `${core!.replace('9464', `${port}, drain: { delay: 0 }`)}
      await builder.onStarted(() => console.log('running')).build().run();`;
    expect(await metricsOf(main, port)).toHaveProperty('hostx_host_up');
  });
});

describe('the README on traces', () => {
  it.each([
    ['an app', 'class TracedModule', "name: 'Orders.place'"],
    ['a process without Nest', 'openTracing(', "name: 'import'"],
  ])('shows %s that prints its span', async (_, part, printed) => {
    const main = await program({
      code: `import 'reflect-metadata';\n${blockWith(part)!}`,
      folder,
    });
    try {
      const ended = await main.run().ended;
      expect(ended.code).toBe(0);
      expect(ended.out).toContain(printed);
      expect(ended.err).toBe('');
    } finally {
      await main.remove();
    }
  });
});

describe('@apix/otel/core', () => {
  it('reaches nothing of Nest', async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL('./core/index.ts', import.meta.url))],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      external: ['@nestjs/*', 'rxjs', 'reflect-metadata', 'yaml', '@opentelemetry/*'],
    });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    const outside = new Set(
      imports.map(({ path }) => path).filter((path) => !path.startsWith('node:')),
    );
    expect([...outside].filter((path) => !path.startsWith('@opentelemetry/'))).toEqual([]);
  });
});
