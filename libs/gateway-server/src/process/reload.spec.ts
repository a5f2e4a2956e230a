import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { freePort } from '../../../../tools/testing/free-port.js';
import { type Child, type Program, program } from '../../../../tools/testing/program.js';
import { SHOP, startBackend } from './backend.fixture.js';

let command: Program;
let backend: Awaited<ReturnType<typeof startBackend>>;
let first: Signer;
let second: Signer;
beforeAll(async () => {
  command = await program(new URL('../cli/main.ts', import.meta.url));
  backend = await startBackend();
  [first, second] = await Promise.all([signer('first'), signer('second')]);
});
afterAll(async () => {
  await command.remove();
  await backend.stop();
});

let folder: string;
let gateway: Child | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'apix-reload-'));
});
afterEach(async () => {
  gateway?.kill('SIGTERM');
  await gateway?.ended;
  gateway = undefined;
  rmSync(folder, { recursive: true });
});

/** Who issues tokens with a key. */
interface Signer {
  readonly jwk: object;
  readonly token: string;
}

async function signer(kid: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { jwk: { ...(await exportJWK(publicKey)), kid }, token: await tokenOf(kid, privateKey) };
}

function tokenOf(kid: string, key: CryptoKey): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer('https://id.example')
    .setAudience('shop')
    .setExpirationTime('5m')
    .sign(key);
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const keysOf = (...signers: readonly Signer[]): string =>
  `// Of this test\n${JSON.stringify({ keys: signers.map(({ jwk }) => jwk) })}`;

/** Runs apix-gateway until the end of the test. */
async function start(...args: string[]) {
  const port = await freePort();
  const listen = ['--listen', `127.0.0.1:${port}`, '--drain-delay', '0', '--docs', 'off'];
  const served = ['--backend', backend.address, '--descriptors', SHOP, '--log-format', 'console'];
  const started = command.run(...listen, ...served, ...args);
  gateway = started;
  await started.said('HTTP rules call the gRPC server');
  const said = { text: '' };
  started.process.stdout!.on('data', (data: Buffer) => (said.text += data.toString()));
  return {
    /** Sends SIGHUP, and returns what the log says of the reload. */
    reload: async (): Promise<string> => {
      said.text = '';
      started.kill('SIGHUP');
      while (!/Reloaded in .*\n|Reload failed .*\n|Nothing was .*\n/.test(said.text))
        await sleep(5);
      return said.text;
    },
    /** The status of an order by the caller with this token. */
    order: async ({ token }: Signer): Promise<number> => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: '{}',
      });
      await response.arrayBuffer();
      return response.status;
    },
  };
}

describe('SIGHUP', () => {
  const TOKENS = ['--issuer', 'https://id.example', '--audience', 'shop'];

  it('has a key that was removed refused, and one that was added accepted', async () => {
    const jwks = file('keys.json', keysOf(first));
    const { order, reload } = await start('--jwks', jwks, ...TOKENS);
    expect([await order(first), await order(second)]).toEqual([200, 401]);
    file('keys.json', keysOf(second));
    expect([await order(first), await order(second)]).toEqual([200, 401]);
    expect(await reload()).toContain(`: keys of ${jwks}, descriptors and rules`);
    expect([await order(first), await order(second)]).toEqual([401, 200]);
    file('keys.json', keysOf(first, second));
    await reload();
    expect([await order(first), await order(second)]).toEqual([200, 200]);
  });

  it('reports a file of keys that is wrong by its name, and keeps the keys', async () => {
    const jwks = file('keys.json', keysOf(first));
    const { order, reload } = await start('--jwks', jwks, ...TOKENS);
    const wrong: readonly (readonly [string, string])[] = [
      ['{"keys":\n[', `cannot read keys from ${jwks}:2: `],
      ['', `cannot read keys from ${jwks}:1: `],
      ['[]', `${jwks} is not a key set`],
      ['{"keys": []}', `${jwks} has no keys`],
      ['{"keys": [{"kty": "EC"}]}', `${jwks} has no key that verifies tokens: keys[0] `],
    ];
    for (const [content, mistake] of wrong) {
      file('keys.json', content);
      const said = await reload();
      expect(said).toContain(`reload hook keys of ${jwks}: authz: KeyFile: ${mistake}`);
      expect(said).not.toContain('Reloaded');
      expect([await order(first), await order(second)]).toEqual([200, 401]);
    }
    rmSync(jwks);
    expect(await reload()).toContain(`cannot read keys from ${jwks}: ENOENT`);
    expect(await order(first)).toBe(200);
    file('keys.json', keysOf(second));
    expect(await reload()).toContain('Reloaded');
    expect([await order(first), await order(second)]).toEqual([401, 200]);
  });

  it('names no more than it has read', async () => {
    const { reload } = await start('--jwks', 'https://id.example/jwks', ...TOKENS);
    expect(await reload()).toMatch(/Reloaded in \d+ ms: descriptors and rules\n/);
  });

  it('reads the certificates of callers and of the backend again, and names wrong ones', async () => {
    const [cert, key] = [file('cert.pem', CERTIFICATE), file('key.pem', KEY)];
    const ca = file('ca.pem', CERTIFICATE);
    const tls = ['--tls-cert', cert, '--tls-key', key, '--backend-ca', ca];
    const { reload } = await start(...tls);
    const all = 'certificates, certificates of the backend, descriptors and rules';
    expect(await reload()).toContain(`: ${all}\n`);
    for (const broken of [cert, key, ca]) {
      cpSync(broken, `${broken}.kept`);
      writeFileSync(broken, 'nothing');
      const said = await reload();
      expect(said).toContain(broken);
      expect(said).not.toContain('Reloaded');
      cpSync(`${broken}.kept`, broken);
    }
    expect(await reload()).toContain('Reloaded');
  });
});
