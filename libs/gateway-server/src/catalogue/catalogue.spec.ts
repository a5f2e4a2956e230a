import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { networkUpstream } from '@apix/gateway/core';
import { afterAll, describe, expect, it } from '@jest/globals';
import { SHOP } from '../process/backend.fixture.js';
import { gatewayOptionsOf } from '../process/gateway-options.js';
import { loadSettings } from '../settings/load-settings.js';
import { Catalogue } from './catalogue.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-catalogue-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PAYMENTS = fileURLToPath(
  new URL('../../../../apps/demo/gen/payments.binpb', import.meta.url),
);
const shop = () => readFile(SHOP);
const rules = join(folder, 'rules.yaml');

function servePath(path: string): void {
  writeFileSync(rules, `- selector: shop.v1.Catalog.Get\n  get: ${path}\n`);
}

/** A catalogue whose server answers in turn as given. */
function catalogueOf(...answers: (() => Promise<Uint8Array>)[]) {
  const { settings } = loadSettings(['--backend', 'localhost:1', '--rules', rules]);
  const upstream = networkUpstream({ endpoint: 'localhost:1' });
  const catalogue = new Catalogue({
    settings,
    upstream,
    gatewayOptions: {},
    subject: undefined,
    reflect: () => answers.shift()!(),
  });
  const serves = (path: string) =>
    catalogue.current?.gateway.bindings.some(({ template }) => template.source === path);
  return { catalogue, serves, close: () => upstream.close() };
}

describe('methods that a catalogue serves', () => {
  const catalogueWith = (...args: string[]) => {
    const { settings } = loadSettings(['--backend', 'localhost:1', '--descriptors', ...args]);
    const upstream = networkUpstream({ endpoint: 'localhost:1' });
    const catalogue = new Catalogue({
      settings,
      upstream,
      gatewayOptions: gatewayOptionsOf(settings),
      subject: undefined,
      reflect: () => Promise.reject(new Error('not asked')),
    });
    return { catalogue, close: () => upstream.close() };
  };

  it('are not those of --exclude, without a rule neither', async () => {
    const { catalogue, close } = catalogueWith(
      SHOP,
      '--unbound',
      '--exclude',
      'shop.v1.Catalog.Get',
      '--exclude',
      'shop.v1.Orders.*',
    );
    await catalogue.load();
    const names = catalogue.current!.gateway.bindings.map(({ fullName }) => fullName);
    expect(names.some((name) => name.startsWith('/shop.v1.Catalog/'))).toBe(true);
    expect(names.filter((name) => /Orders|Catalog\/Get$/.test(name))).toEqual([]);
    close();
  });

  it('are none without a rule, and the error names --unbound', async () => {
    const { catalogue, close } = catalogueWith(PAYMENTS);
    await expect(catalogue.load()).rejects.toThrow(/no HTTP rule found: set --unbound to serve/);
    const unbound = catalogueWith(PAYMENTS, '--unbound');
    expect(await unbound.catalogue.load()).toBe(true);
    close();
    unbound.close();
  });
});

describe('a catalogue', () => {
  it('reads again what has changed while it was being read', async () => {
    let second: Promise<boolean> | undefined;
    const { catalogue, serves, close } = catalogueOf(async () => {
      // The rules have been read.
      servePath('/v1/new/{name=products/*}');
      second = catalogue.load();
      return await shop();
    }, shop);
    servePath('/v1/old/{name=products/*}');
    expect([await catalogue.load(), await second]).toEqual([true, true]);
    expect(serves('/v1/new/{name=products/*}')).toBe(true);
    close();
  });

  it('reads after a read that failed', async () => {
    const { catalogue, serves, close } = catalogueOf(
      () => Promise.reject(new Error('not there')),
      shop,
    );
    servePath('/v1/new/{name=products/*}');
    const [first, second] = await Promise.allSettled([catalogue.load(), catalogue.load()]);
    expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: true }]);
    expect(serves('/v1/new/{name=products/*}')).toBe(true);
    close();
  });
});
