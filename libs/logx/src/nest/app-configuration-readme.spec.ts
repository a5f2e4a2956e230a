import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../../tools/testing/free-port.js';
import { type Program, program } from '../../../../tools/testing/program.js';

const root = new URL('../../../../', import.meta.url);

/** Makes the debug level visible without a line of the example. */
const TICKS = `
  import { fromContext } from '@apix/logx';
  setInterval(() => fromContext().debug('tick'), 20).unref();
`;

describe("the example of the README with the logger in the app's configuration", () => {
  let yaml: string;
  let promised: string;
  let app: Program;
  let folder: string;

  beforeAll(async () => {
    const readme = await readFile(new URL('libs/logx/README.md', root), 'utf8');
    const chapter = /### In the app's configuration\n([^]*?)\n### /.exec(readme)![1]!;
    const [, document, code, mistakes] =
      /```yaml\n([^]*?)```[^]*?```ts\n([^]*?)```[^]*?```text\n([^]*?)```/.exec(chapter)!;
    yaml = document!.replace('3000', String(await freePort()));
    promised = mistakes!;
    folder = await mkdtemp(join(tmpdir(), 'logx-readme-'));
    app = await program({
      code: `process.chdir(process.argv[2]!);\n${TICKS}${code!}`,
      folder: new URL('libs/logx/src/nest/', root),
    });
  });
  afterAll(async () => {
    await app.remove();
    await rm(folder, { recursive: true });
  });

  const configure = (text: string): Promise<void> => writeFile(join(folder, 'config.yaml'), text);

  it('takes the level again on SIGHUP', async () => {
    await configure(yaml);
    const running = app.run(folder);
    await running.said('Host is running');
    await configure(yaml.replace('information', 'debug'));
    running.process.kill('SIGHUP');
    await running.said('"message":"tick"');
    running.process.kill('SIGTERM');
    const { code, out, err } = await running.ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const ticks = out.indexOf('"message":"tick"');
    expect(out.slice(0, ticks)).toContain('Host is running');
    expect(out).not.toContain('"level":"error"');
  });

  it('says what is wrong as the README says', async () => {
    await configure(yaml.replace(/port: \d+/, 'port: high').replace('information', 'loud'));
    const { code, out, err } = await app.run(folder).ended;
    expect(code).toBe(1);
    expect(out + err).toContain(promised.trimEnd());
  });
});
