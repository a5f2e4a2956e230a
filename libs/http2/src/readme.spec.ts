import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { program } from '../../../tools/testing/program.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
const [, printed = ''] = /```text\n(.*?)```/s.exec(readme) ?? [];

it('the example of the README prints what the README shows, and ends', async () => {
  const app = await program({ code: example, folder: new URL('.', import.meta.url) });
  const { out, err, code } = await app.run().ended;
  await app.remove();
  expect([code, err, out]).toEqual([0, '', printed]);
});
