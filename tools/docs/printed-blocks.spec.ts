import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '@apix/hostx/core';
import { HOST_TRANSITIONS, SERVICE_TRANSITIONS } from '@apix/hostx/internal';
import { consoleSink, createLogger } from '@apix/logx/core';
import { z } from 'zod';
import { codeBlocksOf, fencesOf } from './code-blocks.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The block of a page that begins with a text. */
function blockOf(page: string, beginning: string): string {
  const found = fencesOf(root, page).find(({ code }) => code.startsWith(beginning));
  return found!.code.trimEnd();
}

async function messageOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

describe('a page shows', () => {
  it('the mistakes of options of a logger as they are printed', async () => {
    const wrong = {
      limits: { deph: 1 },
      levl: 'info',
      sinks: [consoleSink(), { type: 'console', level: 'wraning' }],
    };
    const message = await messageOf(() => createLogger(wrong as object));
    expect(message).toBe(blockOf('libs/logx/README.md', 'logx: 3 mistakes'));
  });

  it('the mistakes of a configuration as they are printed', async () => {
    const page = 'libs/hostx/README.md';
    const [, fields] = /const schema = z\.object\((.*)\);/.exec(
      codeBlocksOf(root, page).find(({ code }) => code.includes('const schema'))!.code,
    )!;
    expect(fields).toBe('{ db: z.object({ url: z.string(), poolSize: z.number().default(10) }) }');
    const schema = z.object({
      db: z.object({ url: z.string(), poolSize: z.number().default(10) }),
    });
    const env = { APP_DB__POOL_SIZE: 'many' };
    const folder = mkdtempSync(join(tmpdir(), 'apix-printed-'));
    writeFileSync(join(folder, 'config.yaml'), '{}');
    const file = join(folder, 'config');
    const message = await messageOf(() => loadConfiguration({ schema, env, file }));
    rmSync(folder, { recursive: true });
    expect(message.replaceAll(`${folder}/`, '')).toBe(blockOf(page, 'hostx: configuration'));
  });

  it('states of the host and of its services that follow each other', () => {
    const [host, ...services] = blockOf('libs/hostx/README.md', 'host     idle').split('\n');
    const next = { ...HOST_TRANSITIONS };
    expect(arrowsOf(host!).filter(([from, to]) => !leads(next, from, to))).toEqual([]);
    const arrows = services.flatMap(arrowsOf);
    expect(arrows.filter(([from, to]) => !leads({ ...SERVICE_TRANSITIONS }, from, to))).toEqual([]);
    expect(arrows.length).toBeGreaterThan(6);
  });

  it('variables of an environment that the code next to them reads', () => {
    const page = 'docs/guides/nest-config.md';
    const names = [...blockOf(page, 'LOG_LEVEL').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    const [app] = codeBlocksOf(root, page).filter(({ language }) => language === 'ts');
    const read = [...app!.code.matchAll(/get(?:<\w+>)?\('(\w+)'\)/g)].map(([, name]) => name!);
    expect(read.toSorted()).toEqual(names.toSorted());
  });

  it('a WebSocket client that a browser can read', () => {
    const client = blockOf('libs/gateway/README.md', 'const ws');
    expect(() => new Script(client)).not.toThrow();
  });
});

/** `a, b → c → d, or → e` as pairs: what begins with an arrow goes on from the first names. */
function arrowsOf(line: string): (readonly [string, string])[] {
  const chains = line
    .replace(/^(?:host|service) /, '')
    .split(/, or (?=→)/)
    .map((chain) => chain.split('→').map((names) => names.match(/\w+/g) ?? []));
  const heads = chains[0]![0]!;
  return chains.flatMap(([first, ...steps]) => {
    const froms = [first!.length === 0 ? heads : first!, ...steps];
    return steps.flatMap((to, index) =>
      froms[index]!.flatMap((from) => to.map((name) => [from, name] as const)),
    );
  });
}

function leads(
  transitions: Readonly<Record<string, Readonly<Record<string, string>>>>,
  from: string,
  to: string,
): boolean {
  return Object.values(transitions[from] ?? {}).includes(to);
}
