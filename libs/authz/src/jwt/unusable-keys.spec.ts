import { OptionsError, RELOADABLE } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type JWK, createLocalJWKSet, createRemoteJWKSet, exportJWK, generateKeyPair } from 'jose';
import { generateKeyPairSync, generateKeySync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BearerSubjectOptions } from './bearer-options.js';
import { bearerSubject } from './bearer-subject.js';
import { KeyFile } from './key-file.js';
import type { KeySource } from './key-source.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const jwkOf = (key: { export(options: { format: 'jwk' }): object }) =>
  key.export({ format: 'jwk' }) as JWK;

const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const secp = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
const long = generateKeyPairSync('rsa', { modulusLength: 2048 });
const x25519 = generateKeyPairSync('x25519');
const ed25519 = generateKeyPairSync('ed25519');
const secret = generateKeySync('hmac', { length: 256 });
const ES256 = jwkOf(p256.publicKey);

function make(jwks: unknown, algorithms?: readonly string[]): unknown {
  const options = { jwks: jwks as KeySource, issuer: 'a', audience: 'b' };
  return bearerSubject(algorithms === undefined ? options : { ...options, algorithms });
}

function keyFile(content: unknown): string {
  const file = join(folder, 'keys.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const FORMS =
  'must be a key, a KeyFile, a URL, or a function such as createLocalJWKSet of jose returns';

describe('bearerSubject() refuses at once what is not a key:', () => {
  it.each<[string, unknown, string]>([
    ['an empty key set', { keys: [] }, 'an object'],
    ['a key set as a plain object', { keys: [ES256] }, 'an object'],
    ['an empty object', {}, 'an object'],
    ['an array of keys', [ES256], 'an array'],
    ['a number', 7, '7'],
    ['true', true, 'true'],
    ['a promise of a key', Promise.resolve(p256.publicKey), 'an object'],
    ['a key pair', p256, 'an object'],
  ])('%s', (_, jwks, shown) => {
    expect(() => make(jwks)).toThrow(OptionsError);
    expect(() => make(jwks)).toThrow(`authz: bearerSubject: jwks: ${FORMS}, not ${shown}`);
  });
});

describe('bearerSubject() refuses at once a key that verifies no accepted token:', () => {
  it.each<[string, unknown, string, string[]?]>([
    ['a secret without its algorithm', secret, 'is for HS256, HS384, HS512; accepted are EdDSA,'],
    ['bytes without their algorithm', Buffer.alloc(32, 'x'), 'is for HS256, HS384, HS512;'],
    ['an empty secret', new Uint8Array(0), 'is an empty secret', ['HS256']],
    [
      'a public key where secrets are accepted',
      p256.publicKey,
      'is for ES256; accepted are HS256',
      ['HS256'],
    ],
    [
      'a key of another algorithm',
      ed25519.publicKey,
      'is for EdDSA, Ed25519; accepted are RS256',
      ['RS256'],
    ],
    ['a short RSA key', short.publicKey, 'has 1024 bits; at least 2048 are required'],
    [
      'a curve without an algorithm',
      secp.publicKey,
      'has the curve secp256k1, which signs no token',
    ],
    ['a key for key agreement', x25519.publicKey, 'has the type x25519, which signs no token'],
    ['a JWK for encryption', { ...ES256, use: 'enc' }, 'has a "use" other than "sig"'],
    [
      'a JWK without members',
      { kty: 'EC' },
      'does not have the members of a public key of type EC',
    ],
    ['a JWK of a private key', jwkOf(p256.privateKey), 'is a private key'],
  ])('%s', (_, jwks, mistake, ...[algorithms]) => {
    expect(() => make(jwks, algorithms)).toThrow(OptionsError);
    expect(() => make(jwks, algorithms)).toThrow(
      `authz: bearerSubject: jwks: cannot verify tokens: the key ${mistake}`,
    );
  });

  it('a CryptoKey for encryption, a short one and one of another algorithm', async () => {
    const { publicKey } = await generateKeyPair('RSA-OAEP-256');
    const es = await generateKeyPair('ES256');
    const weak = await crypto.subtle.generateKey(
      { name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 1024, publicExponent: Buffer.of(1, 0, 1) },
      true,
      ['sign', 'verify'],
    );
    expect(() => make(publicKey)).toThrow('the key must not be used to verify');
    expect(() => make(weak.publicKey)).toThrow('the key has 1024 bits');
    expect(() => make(es.publicKey, ['ES384'])).toThrow('the key is for ES256; accepted are ES384');
    expect(() => make(es.privateKey)).toThrow('must be a public key, not a private one');
  });

  it('the URL of a key set where only secrets are accepted', () => {
    expect(() => make('https://id.example/jwks', ['HS256'])).toThrow(
      'jwks: must be a secret: key sets have none, and accepted are HS256',
    );
  });
});

describe('bearerSubject() refuses at once algorithms', () => {
  it.each([
    ['that nothing verifies', ['ES257'], '"ES257" is not a signature algorithm; use EdDSA, '],
    ['in small letters', ['es256'], '"es256" is not a signature algorithm; use EdDSA, '],
    ['that encrypt', ['RS256', 'RSA-OAEP'], '"RSA-OAEP" is not a signature algorithm'],
  ])('%s', (_, algorithms, mistake) => {
    expect(() => make('https://id.example/jwks', algorithms)).toThrow(`algorithms: ${mistake}`);
  });

  it('together with the other mistakes', () => {
    const wrong = { jwks: {}, issuer: '', audience: 'b', algorithms: ['es256'] };
    expect(() => bearerSubject(wrong as unknown as BearerSubjectOptions)).toThrow(
      /3 mistakes:\n {2}issuer: .*\n {2}algorithms: .*\n {2}jwks: /,
    );
  });
});

const SETS: readonly (readonly [string, unknown, string])[] = [
  ['no keys', { keys: [] }, 'has no keys'],
  [
    'only keys for encryption',
    { keys: [{ ...ES256, use: 'enc' }] },
    'has no key that verifies tokens: keys[0] has a "use" other than "sig"',
  ],
  [
    'only keys of operations',
    { keys: [{ ...ES256, key_ops: ['deriveKey'] }] },
    'keys[0] has "key_ops" without "verify"',
  ],
  [
    'a key for encryption by its algorithm',
    { keys: [{ ...jwkOf(long.publicKey), alg: 'RSA-OAEP' }] },
    'keys[0] has an "alg" that does not fit its type RSA',
  ],
  [
    'keys without members',
    { keys: [{}, { kty: 'RSA', n: 'x' }] },
    'keys[0] is not a key; keys[1] does not have the members of a public key of type RSA',
  ],
  [
    'a point that is not on the curve',
    { keys: [{ ...ES256, x: ES256.y }] },
    'keys[0] does not have the members of a public key of type EC',
  ],
  ['a short key', { keys: [jwkOf(short.publicKey)] }, 'keys[0] has 1024 bits'],
  ['a private key', { keys: [jwkOf(p256.privateKey)] }, 'keys[0] is a private key'],
  ['a secret', { keys: [jwkOf(secret)] }, 'keys[0] is for HS256, HS384, HS512'],
  [
    'more keys without ids than are tried',
    { keys: Array.from({ length: 9 }, () => ES256) },
    'has more than 8 keys for each algorithm: give each a "kid" of its own',
  ],
  [
    'more keys with one id than are tried',
    { keys: Array.from({ length: 9 }, () => ({ ...ES256, kid: 'a' })) },
    'has more than 8 keys for each algorithm',
  ],
];

describe('a set that verifies no token is refused at once:', () => {
  it.each(SETS)('%s, as a set of jose', (_, set, mistake) => {
    const keys = createLocalJWKSet(set as { keys: JWK[] });
    expect(() => make(keys)).toThrow(OptionsError);
    expect(() => make(keys)).toThrow(`authz: bearerSubject: jwks: the key set `);
    expect(() => make(keys)).toThrow(mistake);
  });

  it.each([
    ...SETS,
    ['no set', [], 'is not a key set: an object with an array "keys" of objects'],
    ['null', null, 'is not a key set'],
    ['keys that are no objects', { keys: ['a'] }, 'is not a key set'],
    ['a text that breaks off', '{"keys":\n[{', ':2: a name in double quotes is expected'],
    ['nothing', '', ':1: has no value'],
  ])('%s, as a file', (_, content, mistake) => {
    const file = keyFile(content);
    expect(() => new KeyFile(file)).toThrow(OptionsError);
    expect(() => new KeyFile(file)).toThrow(/^authz: KeyFile: .*keys\.json/);
    expect(() => new KeyFile(file)).toThrow(mistake);
  });

  it('a file that is not there', () => {
    expect(() => new KeyFile(join(folder, 'none.json'))).toThrow(
      /^authz: KeyFile: cannot read keys from .*none\.json: ENOENT/,
    );
  });

  it('a file that has no key for the algorithms of its user', () => {
    const keys = new KeyFile(keyFile({ keys: [ES256] }));
    expect(() => make(keys, ['RS256'])).toThrow(
      /jwks: .*keys\.json has no key that verifies tokens: keys\[0\] is for ES256; accepted are RS256/,
    );
  });
});

describe('keys of use are accepted', () => {
  it('next to others that are not', async () => {
    const rsa = jwkOf(long.publicKey);
    const { publicKey } = await generateKeyPair('PS256');
    const keys = [{ kty: 'new' }, { ...rsa, use: 'enc' }, ES256, await exportJWK(publicKey)];
    expect(make(createLocalJWKSet({ keys }))).toEqual(expect.any(Function));
    expect(make(publicKey)).toEqual(expect.any(Function));
  });

  it.each<[string, unknown, string[]?]>([
    ['a JWK', ES256],
    ['an RSA key', long.publicKey],
    ['an Ed25519 key', ed25519.publicKey],
    ['a secret', secret, ['HS256']],
    ['a set that is fetched later', createRemoteJWKSet(new URL('https://id.example/jwks'))],
    ['a function', () => p256.publicKey],
  ])('as %s', (_, jwks, ...[algorithms]) => {
    expect(make(jwks, algorithms)).toEqual(expect.any(Function));
  });

  it('from a file with comments, a byte order mark and a comma at the end', () => {
    const file = keyFile(`\uFEFF// ours\n{"keys": [${JSON.stringify(ES256)},]}`);
    const keys = new KeyFile(file);
    expect(make(keys)).toEqual(expect.any(Function));
    expect([hasMark(keys, RELOADABLE), keys.name]).toEqual([true, `keys of ${file}`]);
  });
});
