import { type CallContext, type StatusError, codeName } from '@apix/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CryptoKey, SignJWT, createLocalJWKSet, exportJWK, generateKeyPair } from 'jose';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearerSubject } from './bearer-subject.js';
import { AUDIENCE, ISSUER, type Issuer, seconds, startIssuer } from './issuer.fixture.js';
import { KeyFile } from './key-file.js';
import type { KeySource } from './key-source.js';
import { MAX_TRIED_KEYS } from './usable-keys.js';

interface Signer {
  readonly privateKey: CryptoKey;
  readonly jwk: object;
}

let issuer: Issuer;
let folder: string;
beforeEach(async () => {
  issuer = await startIssuer();
  folder = mkdtempSync(join(tmpdir(), 'apix-keys-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  issuer.close();
  rmSync(folder, { recursive: true });
});

async function signers(count: number, ids: (index: number) => object): Promise<Signer[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      return { privateKey, jwk: { ...(await exportJWK(publicKey)), ...ids(index) } };
    }),
  );
}

function token(privateKey: CryptoKey, header: object = {}, claims: object = {}): Promise<string> {
  const good = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: seconds(300) };
  return new SignJWT({ ...good, ...claims })
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(privateKey);
}

/** Whom a token is of, or the status and words that its caller gets. */
async function ask(jwks: KeySource, value: string): Promise<string | undefined> {
  const call: CallContext = {
    door: 'direct',
    method: { fullName: '/test.Orders/Cancel', service: '', name: '', kind: 'unary' },
    metadata: { get: () => [`Bearer ${value}`], keys: () => ['authorization'] },
    peer: { address: '' },
    signal: new AbortController().signal,
    forwarded: false,
  };
  try {
    return (await bearerSubject({ jwks, issuer: ISSUER, audience: AUDIENCE })(call))?.id;
  } catch (error) {
    const { code, message } = error as StatusError;
    return `${codeName(code)}: ${message}`;
  }
}

/** The ways in which keys get to bearerSubject. */
const SOURCES: Readonly<Record<string, (jwks: { keys: object[] }) => KeySource>> = {
  'a local set': (jwks) => createLocalJWKSet(jwks),
  'a file': (jwks) => {
    const file = join(folder, 'keys.json');
    writeFileSync(file, JSON.stringify(jwks));
    return new KeyFile(file);
  },
  'a URL': (jwks) => {
    issuer.serve((_, response) => void response.end(JSON.stringify(jwks)));
    return issuer.jwks;
  },
};

const withIds = (index: number): object => ({ kid: `key-${index}` });

describe.each(Object.entries(SOURCES))('of %s', (_, sourceOf) => {
  it.each<[string, (index: number) => object, object]>([
    ['without a key id is tried with keys that have one', withIds, {}],
    ['without a key id is tried with keys that have none', () => ({}), {}],
    ['is tried with all keys of its key id', () => ({ kid: 'same' }), { kid: 'same' }],
  ])('a token %s', async (_name, ids, header) => {
    const all = await signers(3, ids);
    const jwks = sourceOf({ keys: all.map(({ jwk }) => jwk) });
    for (const { privateKey } of all)
      expect(await ask(jwks, await token(privateKey, header))).toBe('ada');
  });

  it('a token of no key of the set is refused, and one that has expired is that', async () => {
    const [stranger, ...all] = await signers(4, withIds);
    const jwks = sourceOf({ keys: all.map(({ jwk }) => jwk) });
    expect(await ask(jwks, await token(stranger!.privateKey))).toBe(
      'UNAUTHENTICATED: the token is not valid',
    );
    expect(await ask(jwks, await token(all[2]!.privateKey, {}, { exp: seconds(-60) }))).toBe(
      'UNAUTHENTICATED: the token has expired',
    );
    expect(await ask(jwks, await token(all[2]!.privateKey, {}, { aud: 'bank' }))).toBe(
      'UNAUTHENTICATED: the token is not valid',
    );
    expect(await ask(jwks, await token(all[1]!.privateKey, { kid: 'key-9' }))).toBe(
      'UNAUTHENTICATED: the token is not valid',
    );
  });

  it('a token that fits a great many keys costs no more than a few verifications', async () => {
    const [stranger, ...all] = await signers(41, withIds);
    const jwks = sourceOf({ keys: all.map(({ jwk }) => jwk) });
    const verify = jest.spyOn(crypto.subtle, 'verify');
    expect(await ask(jwks, await token(stranger!.privateKey))).toBe(
      'UNAUTHENTICATED: the token is not valid',
    );
    expect(verify).toHaveBeenCalledTimes(MAX_TRIED_KEYS);
    const last = all.at(-1)!;
    expect(await ask(jwks, await token(last.privateKey, { kid: 'key-40' }))).toBe('ada');
  });

  it('a key that is of no use does not keep the next one from being tried', async () => {
    const all = await signers(2, () => ({}));
    // Not a point of the curve.
    const broken = { ...all[0]!.jwk, x: Buffer.alloc(32, 1).toString('base64url') };
    const jwks = sourceOf({ keys: [broken, ...all.map(({ jwk }) => jwk)] });
    expect(await ask(jwks, await token(all[1]!.privateKey))).toBe('ada');
  });
});
