import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorLines } from '../../../tools/testing/error-lines.js';
import { freePort } from '../../../tools/testing/free-port.js';
import { listening } from '../../../tools/testing/listening.js';
import { type Child, type Program, program } from '../../../tools/testing/program.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
const [, dialogue = ''] = /```console\n(.*?)```/s.exec(readme) ?? [];

describe('the example of the README', () => {
  let app: Program;
  let child: Child;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const descriptors = new URL('../../../apps/demo/gen/shop.binpb', import.meta.url);
    const code = example
      .replace('gen/shop.binpb', fileURLToPath(descriptors))
      .replace('3000', String(port));
    app = await program({ code, folder: new URL('.', import.meta.url) });
    child = app.run();
    // Nest logs that it has started before it listens.
    await Promise.race([child.ended, listening(port)]);
  });
  afterAll(async () => {
    child.process.kill('SIGKILL');
    await child.ended;
    await app.remove();
  });

  it('serves the page with the headers that the README shows', async () => {
    const { status, headers } = await fetch(`${origin}/docs`, { method: 'HEAD' });
    const shown = [...dialogue.matchAll(/^([\w-]+): (.*)$/gm)];
    expect(status).toBe(200);
    expect(shown.map(([, name = '', value]) => [name, value])).toEqual(
      ['Content-Security-Policy', 'Content-Type'].map((name) => [name, headers.get(name)]),
    );
  });

  it('serves both specs, the one of the gateway and the one of the controllers', async () => {
    const page = await (await fetch(`${origin}/docs`)).text();
    expect(page).toContain('<title>Shop</title>');
    const [gateway, controllers] = await Promise.all(
      ['/docs/shop.json', '/api-json'].map(
        async (path) => (await (await fetch(origin + path)).json()) as { paths: object },
      ),
    );
    expect(Object.keys(gateway?.paths ?? {})).toContain('/v1/products');
    expect(controllers?.paths).toEqual({});
  });

  it('writes no error until it is stopped', async () => {
    child.process.kill('SIGTERM');
    expect(errorLines(await child.ended)).toEqual([]);
  });
});
