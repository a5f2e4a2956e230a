import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { type Child, type Program, program } from '../../../tools/testing/program.js';
import { SHOP } from './client.fixture.js';

const folder = new URL('.', import.meta.url);
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)];
const ofLanguage = (language: string): readonly string[] =>
  blocks.filter(([, it]) => it === language).map(([, , text]) => text!);

const [example, prices] = ofLanguage('ts');
const [printed] = ofLanguage('text');
const asking = ofLanguage('ts').find((code) => code.includes('reflectDescriptors'));

const GENERATED = fileURLToPath(
  new URL('../../../apps/demo/src/gen/shop/v1/catalog_pb.js', import.meta.url),
);

/** The server of the README of `@apix/grpc`, as other packages get it. */
const [server] = /```ts\n(.*?)```/s
  .exec(readFileSync(new URL('../../grpc/README.md', import.meta.url), 'utf8'))!
  .slice(1);

let app: Program;
let child: Child;
let port: string;
beforeAll(async () => {
  app = await program({ code: here(server!).replace('port: 50051', 'port: 0'), folder });
  child = app.run();
  let out = '';
  child.process.stdout!.on('data', (data: Buffer) => (out += data.toString()));
  await child.said('no controller serves');
  [, port = ''] = /at 0\.0\.0\.0:(\d+);/.exec(out)!;
});
afterAll(async () => {
  child.kill('SIGTERM');
  await child.ended;
  await app.remove();
});

const here = (code: string): string =>
  code
    .replace('./gen/shop/v1/catalog_pb.js', GENERATED)
    .replace('gen/shop.binpb', SHOP)
    .replace('http: false', 'http: false, drain: { delay: 0 }');

/** What code of the README prints when it calls the server. */
async function outputOf(code: string): Promise<string> {
  const caller = await program({ code: here(code).replaceAll('50051', port), folder });
  const { out, err, code: exit } = await caller.run().ended;
  await caller.remove();
  expect([exit, err]).toEqual([0, '']);
  return out;
}

describe('the README shows', () => {
  it('a client that prints what it got', async () => {
    expect(await outputOf(example!)).toBe(printed);
  });

  it('a client that Nest injects', async () => {
    const out = await outputOf(
      `import { NestFactory } from '@nestjs/core';
       ${prices!.replace('catalog:50051', 'localhost:50051')}
       const app = await NestFactory.createApplicationContext(PricesModule, { logger: false });
       console.log(await app.get(Prices).titleOf('products/tea'));
       await app.close();`,
    );
    expect(out).toBe('Green tea\n');
  });

  it('what a server says of its health and its services', async () => {
    const [, said] = /It prints `(serving .*?)`/.exec(readme)!;
    expect(await outputOf(asking!)).toBe(`${said}\n`);
  });
});
