import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkUpstream } from '@apix/gateway/core';
import { afterAll, describe, expect, it } from '@jest/globals';
import { SHOP } from '../process/backend.fixture.js';
import { loadSettings } from '../settings/load-settings.js';
import { Catalogue } from './catalogue.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-catalogue-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
