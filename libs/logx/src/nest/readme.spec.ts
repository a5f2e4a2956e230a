import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorLines } from '../../../../tools/testing/error-lines.js';
import { type Child, type Program, program } from '../../../../tools/testing/program.js';
import { freePort } from '../../../../tools/testing/free-port.js';

const folder = new URL('../../../../', import.meta.url);
const readme = readFileSync(new URL('libs/logx/README.md', folder), 'utf8');
const [example] = /(?<=^```ts\n)(?:(?!^```)[^])*NestFactory\.create[^]*?(?=^```$)/m.exec(readme)!;

describe('the Nest example of the README', () => {
  let app: Program;
  let running: Child;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    const code = `${example.replace('3000', `${port}, '127.0.0.1'`)}console.log('listens');`;
    app = await program({ code, folder: new URL('libs/logx/src/nest/', folder) });
    url = `http://127.0.0.1:${port}`;
    running = app.run();
    await running.said('listens');
  });
  afterAll(() => app.remove());

  it('prints what the README says', async () => {
    for (const path of ['/orders/o-17?full=1', '/orders/o-0']) {
      await (await fetch(url + path)).text();
    }
    await running.said('"Status":404');
    running.process.kill();
    const ended = await running.ended;
    expect(errorLines(ended)).toEqual([]);
    const { out } = ended;
    const printed = out.split('\n').filter((line) => line.includes('RequestId'));
    const [, promised] = /are then\n\n```text\n([\s\S]*?)```/.exec(readme)!;
    expect(printed.map(sameEverywhere)).toEqual(
      promised!.trimEnd().split('\n').map(sameEverywhere),
    );
  });
});

/** Without what differs from run to run. */
function sameEverywhere(line: string): string {
  return line
    .replace(/"(time|RequestId|remote|user_agent)":"[^"]*"/g, '"$1":"…"')
    .replace(/"duration_ms":[\d.]+/, '"duration_ms":…');
}
