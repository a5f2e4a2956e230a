import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApiDocument } from '@apix/gateway/core';
import { createLogger } from '@apix/logx/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { loadSettings } from '../settings/load-settings.js';
import { SHOP } from './backend.fixture.js';
import { GatewayProcess } from './gateway-process.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-who-may-call-'));
const config = join(folder, 'gateway.json');
const policies = join(folder, 'policies.json');
let tokens: Readonly<Record<string, string>>;
let stop: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const { publicKey } = await generateKeyPair('ES256');
  const jwks = join(folder, 'keys.json');
  writeFileSync(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] }));
  tokens = { jwks, issuer: 'https://id.example', audience: 'shop' };
});
afterEach(() => stop?.());
afterAll(() => rmSync(folder, { recursive: true }));

/** Who may call each operation by the document that a gateway serves, by its id. */
async function whoWith(file: object, ...args: string[]): Promise<Record<string, unknown>> {
  const base = { backend: '127.0.0.1:1', listen: '127.0.0.1:0', 'drain-delay': '0s' };
  writeFileSync(config, JSON.stringify({ ...base, descriptors: [SHOP], ...tokens, ...file }));
  const { settings } = loadSettings(['--config', config, ...args]);
  const gateway = new GatewayProcess(settings, createLogger({ sinks: [] }));
  await gateway.catalogue.load();
  const host = gateway.host().build();
  const ended = new AbortController();
  const running = host.runContext(ended.signal);
  stop = async () => {
    ended.abort();
    await running;
  };
  await host.started;
  const answer = await fetch(`http://${gateway.addr}/openapi.json`);
  const { paths } = (await answer.json()) as OpenApiDocument;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return Object.fromEntries(operations.map((it) => [it.operationId, it['x-who-may-call']]));
}

describe('the document of the gateway server', () => {
  it.each<[string, object, string[]]>([
    ['the command line', {}, ['--who-may-call']],
    ['a configuration file', { 'who-may-call': true }, []],
  ])(
    'says who may call a method, by its descriptors, if %s asks for it',
    async (_how, file, args) => {
      expect(await whoWith(file, ...args)).toMatchObject({
        Catalog_Get: 'public',
        Catalog_Create: 'roles: any of merchandiser, admin',
      });
    },
  );

  it('says who may call a method without a policy by the file of policies', async () => {
    const requires = { roles: { any_of: ['clerk'] }, permissions: { all_of: ['stock:read'] } };
    const selector = 'shop.v1.Catalog.GetStock';
    writeFileSync(policies, JSON.stringify([{ selector, requires }]));
    const who = await whoWith({ 'who-may-call': true, 'policy-file': policies });
    expect(who['Catalog_GetStock']).toBe('roles: any of clerk; permissions: all of stock:read');
  });

  it('does not name roles by default', async () => {
    const who = await whoWith({});
    expect(Object.keys(who)).toContain('Catalog_Create');
    expect(Object.values(who).filter((text) => text !== undefined)).toEqual([]);
  });

  it('cannot say it where only the server decides', () => {
    const args = ['--backend', 'shop:50051', '--who-may-call'];
    expect(() => loadSettings(args)).toThrow('who-may-call: requires jwks to be set as well');
  });
});
