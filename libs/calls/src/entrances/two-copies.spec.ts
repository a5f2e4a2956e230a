import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type * as Entrances from './entrances.js';

/** The module as a package of its own would have it. */
async function copy(name: string): Promise<typeof Entrances> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./entrances.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    footer: { js: `// ${name}` },
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as typeof Entrances;
}

it('entrances of two installed copies are one ordered set', async () => {
  const [one, other] = await Promise.all([copy('one'), copy('other')]);
  expect(one.enterServer).not.toBe(other.enterServer);
  const server = createServer((_req, res) => res.end());
  const passed: string[] = [];
  const undo = ([one, other] as const).map(({ enterServer }, i) =>
    enterServer(server, {
      place: i === 0 ? 'log' : 'trace',
      request: (_req, _res, run) => (passed.push(`copy ${i}`), run()),
    }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}`)).text();
  expect(passed).toEqual(['copy 1', 'copy 0']);
  for (const each of undo) each();
  expect(Object.hasOwn(server, 'emit')).toBe(false);
  server.close();
});
