import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorLines } from '../../../tools/testing/error-lines.js';
import { freePort } from '../../../tools/testing/free-port.js';
import { type Child, type Program, program } from '../../../tools/testing/program.js';
import { ask } from './fixtures/serve.fixture.js';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)];
const [example = ''] = blocks.flatMap(([, language, code]) => (language === 'ts' ? code : []));
const [dialogue = '', posts = ''] = blocks.flatMap(([, language, text]) =>
  language === 'console' ? text : [],
);
const posted = [
  ...posts.matchAll(/^\$ curl localhost:3000(\S+) -H 'content-type: (\S+)' -d '(.*)'\n(.*)$/gm),
];
const asked = [...dialogue.matchAll(/^\$ curl localhost:3000(\S+)\n(.*)$/gm)];

describe('the example of the README', () => {
  let app: Program;
  let child: Child;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    const code = example
      .replace('gen/shop.binpb', PLAIN_SHOP)
      .replace('50051', '0')
      .replace("mount: '/'", "mount: '/', protocols: ['rest', 'connect']")
      .replace('{ port: 3000 }', `{ port: ${port} }, drain: { delay: 0 }`);
    app = await program({ code, folder: new URL('.', import.meta.url) });
    child = app.run();
    await child.said('Host is running');
  });
  afterAll(async () => {
    child.process.kill('SIGKILL');
    await child.ended;
    await app.remove();
  });

  it('answers as the README says', async () => {
    const answers: string[][] = [];
    for (const [, path = ''] of asked) answers.push([path, (await ask(port, path)).text]);
    expect(answers.length).toBeGreaterThan(2);
    expect(asked.map(([, path = '', answer = '']) => [path, answer])).toEqual(answers);
  });

  it('answers over Connect as the README says', async () => {
    expect(posted.length).toBe(2);
    for (const [, path = '', type = '', body = '', answer = ''] of posted) {
      const headers = { 'content-type': type };
      const { text } = await ask(port, path, { method: 'POST', headers, body });
      expect([body, text]).toEqual([body, answer]);
    }
  });

  it('writes no error until it has stopped', async () => {
    child.process.kill('SIGTERM');
    const ended = await child.ended;
    expect(ended.code).toBe(0);
    expect(errorLines(ended)).toEqual([]);
  });
});
