import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ProtoRegistry } from '@apix/proto/core';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { errorLines } from '../../../tools/testing/error-lines.js';
import { type Child, type Program, program } from '../../../tools/testing/program.js';
import { SHOP, call, clientOf } from '../../grpc-client/src/client.fixture.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)];
const ofLanguage = (language: string): readonly string[] =>
  blocks.filter(([, it]) => it === language).map(([, , text]) => text!);

const [example, , , , ownServer] = ofLanguage('ts');
const [printed] = ofLanguage('text');
const [answer] = ofLanguage('json');

const shop = ProtoRegistry.load(SHOP);
const Get = shop.method('/shop.v1.Catalog/Get');
const GENERATED = fileURLToPath(
  new URL('../../../apps/demo/src/gen/shop/v1/catalog_pb.js', import.meta.url),
);

let app: Program | undefined;
let child: Child | undefined;
afterEach(async () => {
  child?.process.kill('SIGTERM');
  const ended = await child!.ended;
  expect(ended.code).toBe(0);
  expect(errorLines(ended)).toEqual([]);
  await app?.remove();
});

/** Runs code of the README, on a free port and without a drain delay, until it has said this. */
async function run(code: string, said: string): Promise<string> {
  const changed = code
    .replace('./gen/shop/v1/catalog_pb.js', GENERATED)
    .replace('gen/shop.binpb', SHOP)
    .replace('port: 50051', 'port: 0')
    .replace('http: false', 'http: false, drain: { delay: 0 }');
  app = await program({ code: changed, folder: new URL('.', import.meta.url) });
  child = app.run();
  let out = '';
  child.process.stdout!.on('data', (data: Buffer) => (out += data.toString()));
  await child.said(said);
  return stripVTControlCharacters(out);
}

async function get(address: string): Promise<unknown> {
  const { status, messages } = await call(clientOf(address), Get, [{ name: 'products/tea' }]);
  expect(status).toBe('OK');
  return messages[0];
}

describe('the README shows', () => {
  it('an app that says what it serves, and answers', async () => {
    const out = await run(example!, 'no controller serves');
    const [, port] = /at 0\.0\.0\.0:(\d+);/.exec(out)!;
    for (const line of printed!.trim().split('\n')) {
      expect(out).toContain(line.replace('50051', port!));
    }
    expect(await get(`localhost:${port}`)).toMatchObject(JSON.parse(answer!) as object);
  });

  it('how to host a server of your own', async () => {
    const out = await run(
      `const product = { name: 'products/tea' };
       ${ownServer!
         .replace('{ port: 50051', '{ drainDelay: 0, port: 50051')
         .replace('.build()', ".onStarted(() => console.log('port', grpc.port)).build()")}
       import { serviceDefinition } from '@apix/grpc/core';
       import { Host, consoleLogger } from '@apix/hostx/core';
       import { Server } from '@grpc/grpc-js';
       import { Catalog } from './gen/shop/v1/catalog_pb.js';`,
      'port ',
    );
    const [, port] = /port (\d+)/.exec(out)!;
    expect(await get(`localhost:${port}`)).toMatchObject({ name: 'products/tea' });
  });
});
