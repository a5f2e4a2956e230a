import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { program } from '../../../../tools/testing/program.js';

const guide = readFileSync(new URL('../../../../docs/guides/own-sink.md', import.meta.url), 'utf8');
const blocksOf = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code!);

it('the guide to a sink of your own shows a program that prints what the guide says', async () => {
  const [sink, use] = blocksOf('ts');
  const [printed] = blocksOf('text');
  const code = `
    import { createServer } from 'node:http';
    import type { AddressInfo } from 'node:net';
    ${sink!}
    ${use!}`;
  const main = await program({ code, folder: new URL('.', import.meta.url) });
  try {
    expect(await main.run().ended).toMatchObject({ code: 0, out: printed, err: '' });
  } finally {
    await main.remove();
  }
});

it('the guide to a sink of your own uses public exports only', () => {
  const imported = blocksOf('ts').flatMap((code) =>
    [...code.matchAll(/from '([^']+)'/g)].map(([, name]) => name),
  );
  expect(imported).toEqual(['@apix/logx/shipping', '@apix/logx/core']);
});
