import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authzCommand } from '../../libs/authz/src/cli/authz-command.js';
import { celConditions } from '../../libs/authz/src/conditions/cel-conditions.js';
import { Authorizer } from '../../libs/authz/src/decide/authorizer.js';
import { toSql } from '../../libs/authz/src/filters/to-sql.js';
import { ProtoRegistry } from '@apix/proto/core';
import { Client, credentials } from '@grpc/grpc-js';
import { freePort } from '../testing/free-port.js';
import { program } from '../testing/program.js';
import { codeBlocksOf } from './code-blocks.js';
import { buildSet } from './descriptor-set.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function blocksOf(page: string, language: string): string[] {
  return codeBlocksOf(root, `docs/guides/${page}`)
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}

describe('the guides on policies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'apix-guides-'));
  const at = (name: string): string => join(folder, name);
  const [proto] = blocksOf('add-authz.md', 'proto');
  const [table] = blocksOf('testing-policies.md', 'yaml');
  const [allIsWell, failing, passed, difference, explained] = blocksOf(
    'testing-policies.md',
    'text',
  );

  const [records] = blocksOf('from-roles-to-records.md', 'text');

  const command = (...args: string[]): string => {
    let out = '';
    authzCommand(args, {
      conditions: celConditions(),
      read: (file) => readFileSync(file, 'utf8'),
      print: (text) => void (out += text),
      complain: (text) => void (out += text),
    });
    return out.replaceAll(`${folder}/`, '');
  };

  beforeAll(() => {
    buildSet(root, folder, 'shop.binpb', proto!);
    buildSet(
      root,
      folder,
      'new.binpb',
      proto!.replace('["staff"]', '["staff", "support"]').replace(/perm.*\n/, ''),
    );
    buildSet(root, folder, 'records.binpb', blocksOf('from-roles-to-records.md', 'proto')[0]!);
    writeFileSync(at('policies.yaml'), table!);
    writeFileSync(at('wrong.yaml'), table!.replace('[clerk]', '[clerk, boss]'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('print what `apix-authz report` does', () => {
    const [report] = blocksOf('add-authz.md', 'text');
    expect(command('report', at('shop.binpb'))).toBe(report);
  });

  it('print what `apix-authz check` does', () => {
    const check = (cases: string): string =>
      command('check', at('shop.binpb'), '--cases', at(cases));
    expect(check('policies.yaml')).toBe(allIsWell);
    expect(check('wrong.yaml').replaceAll('wrong.yaml', 'policies.yaml')).toBe(failing);
  });

  it('print what `apix-authz diff` and `explain` do', () => {
    expect(command('diff', at('shop.binpb'), at('new.binpb'))).toBe(difference);
    const asked = ['/shop.v1.Orders/Cancel', '--roles', 'staff'];
    expect(command('explain', at('shop.binpb'), ...asked)).toBe(explained);
  });

  it('explain conditions as `apix-authz explain` does', () => {
    const [, wanted] = blocksOf('from-roles-to-records.md', 'text');
    const caller = ['--roles', 'customer', '--id', 'ada'];
    const record = ['--request', '{"name":"orders/2"}', '--resource', '{"customer":"eve"}'];
    const asked = ['/shop.v1.Orders/Cancel', ...caller, ...record];
    expect(command('explain', at('records.binpb'), ...asked)).toBe(wanted);
  });

  it('show the SQL that a list becomes', () => {
    const [, , wanted] = blocksOf('from-roles-to-records.md', 'text');
    const [select] = /SELECT [^$`]*/.exec(blocksOf('from-roles-to-records.md', 'ts').at(-1)!)!;
    const authorizer = new Authorizer(ProtoRegistry.load(at('records.binpb')), {
      subject: () => null,
      conditions: celConditions(),
      loaders: { 'shop.v1.Order': () => null },
    });
    const lines = [
      ['ada', 'customer'],
      ['sam', 'staff'],
    ].map(([id = '', role = '']) => {
      const caller = { id, roles: [role], permissions: [] };
      const filter = authorizer.listFilter(undefined, '/shop.v1.Orders/List', caller);
      const { text, values } = toSql(filter, { columns: { customer: 'o.customer' } });
      return `${id}: ${select}${text}${values.length > 0 ? ` with ${values.join()}` : ''}\n`;
    });
    expect(lines.join('')).toBe(wanted);
  });

  it.each([
    ['testing-policies.md', 0, 'shop.binpb', passed!],
    ['from-roles-to-records.md', 1, 'records.binpb', records!],
  ])(
    'show tests that pass, under the names that they print: %s',
    async (page, index, set, printed) => {
      const code = blocksOf(page, 'ts')[index];
      const source = code!.replace("'gen/shop.binpb'", JSON.stringify(at(set)));
      const tests = await program({ code: source, folder: pathToFileURL(`${root}/`) });
      const { code: exitCode, out } = await tests.run().ended;
      await tests.remove();
      expect(exitCode).toBe(0);
      const names = printed.trim().split('\n');
      expect(names.filter((name) => !out.includes(name.replace('✔ ', '')))).toEqual([]);
    },
    30_000,
  );
});

it('the guide on authz shows an app that says in shadow whom it will refuse', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'apix-guides-'));
  const [proto] = blocksOf('add-authz.md', 'proto');
  const [shop, controllers] = blocksOf('add-authz.md', 'ts');
  buildSet(root, folder, 'shop.binpb', proto!);
  const grpc = `127.0.0.1:${await freePort()}`;
  const port = await freePort();
  const code = `${controllers!.replace('class Reports', 'export class Reports')}
    import { GrpcMethod } from '@nestjs/microservices';
    @Controller() class OrdersController { @GrpcMethod('Orders', 'Cancel') cancel() { return {}; } }
    ${shop!
      .replace('gen/shop.binpb', join(folder, 'shop.binpb'))
      .replace('shop/v1/orders.proto', join(folder, 'tree/orders.proto'))
      .replace("['proto', 'node_modules/@apix/authz/proto']", `['${join(folder, 'tree')}']`)
      .replace('0.0.0.0:50051', grpc)
      .replace('listen(3000)', `listen(${port}, '127.0.0.1')`)}
    console.log('listens');`;
  const app = await program({ code, folder: pathToFileURL(`${root}/`) });
  const running = app.run();
  try {
    await running.said('listens');
    await (await fetch(`http://127.0.0.1:${port}/reports/ping`)).text();
    await (await fetch(`http://127.0.0.1:${port}/reports`)).text();
    const client = new Client(grpc, credentials.createInsecure());
    const bytes = (it: Buffer): Buffer => it;
    await new Promise<void>((resolve) => {
      const path = '/shop.v1.Orders/Cancel';
      client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), () => resolve());
    });
    client.close();
  } finally {
    running.process.kill();
    await app.remove();
    rmSync(folder, { recursive: true });
  }
  const { out } = await running.ended;
  const lines = out.split('\n').filter((line) => line.startsWith('would refuse'));
  const [, , promised] = blocksOf('add-authz.md', 'text');
  expect(promised!.trim().split('\n')).toEqual(expect.arrayContaining(lines));
  expect(lines).toHaveLength(2);
});

it('the guide on systemd shows the unit that its code prints', async () => {
  const [, code] = blocksOf('systemd.md', 'ts');
  const [printed] = blocksOf('systemd.md', 'ini');
  const unit = await program({ code: code!, folder: pathToFileURL(`${root}/`) });
  const { out } = await unit.run().ended;
  await unit.remove();
  expect(out.trim()).toBe(printed!.trim());
});
