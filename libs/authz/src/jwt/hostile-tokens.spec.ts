import { type CallContext, OptionsError, type StatusError } from '@apix/contracts';
import type { Subject, SubjectFunc } from '../subject/subject.js';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type CryptoKey,
  CompactEncrypt,
  CompactSign,
  EncryptJWT,
  FlattenedSign,
  type JWK,
  SignJWT,
  exportJWK,
} from 'jose';
import {
  KeyObject,
  createSecretKey,
  generateKeyPairSync,
  randomBytes,
  webcrypto,
} from 'node:crypto';
import { makeAuthority } from '../certificates.fixture.js';
import type { BearerSubjectOptions } from './bearer-options.js';
import { bearerSubject } from './bearer-subject.js';
import type { KeySource } from './key-source.js';
import { AUDIENCE, ISSUER, type Issuer, seconds, startIssuer } from './issuer.fixture.js';

let issuer: Issuer;
/** Where tokens say that their keys are; nobody may ask. */
let elsewhere: Issuer;
beforeAll(async () => {
  [issuer, elsewhere] = await Promise.all([startIssuer(), startIssuer()]);
});
afterAll(() => {
  issuer.close();
  elsewhere.close();
});

const CLAIMS = { iss: ISSUER, aud: AUDIENCE, sub: 'eve', exp: seconds(300), roles: ['admin'] };
const BODY = Buffer.from(JSON.stringify(CLAIMS));
const SECRET = randomBytes(32);

type Secret = Buffer | KeyObject | CryptoKey | JWK;

function sourceOf(options: Partial<BearerSubjectOptions> = {}): SubjectFunc {
  return bearerSubject({ jwks: issuer.jwks, issuer: ISSUER, audience: AUDIENCE, ...options });
}

async function askOf(source: SubjectFunc, token: string): Promise<unknown> {
  const call = { metadata: { get: () => [`Bearer ${token}`], keys: () => ['authorization'] } };
  try {
    return await source(call as unknown as CallContext);
  } catch (error) {
    return (error as StatusError).status;
  }
}

const ask = (token: string, options?: Partial<BearerSubjectOptions>): Promise<unknown> =>
  askOf(sourceOf(options), token);

/** Signed with the key of the one who sends it, which the header offers in many ways. */
const signedElsewhere = (header: object): Promise<string> =>
  new SignJWT(CLAIMS)
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
    .sign(elsewhere.privateKey);

/** Signed by the issuer itself, with extensions that change what the signature means. */
const signedByIssuer = (header: object): Promise<string> =>
  new CompactSign(BODY)
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
    .sign(issuer.privateKey, { crit: { 'http://x.example': true, exp: true } });

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const HOSTILE: readonly (readonly [string, () => Promise<string>])[] = [
  ['jku, the address of a key set', () => signedElsewhere({ jku: elsewhere.jwks })],
  ['x5u, the address of a certificate', () => signedElsewhere({ x5u: elsewhere.jwks })],
  ['jwk, a key', async () => signedElsewhere({ jwk: await exportJWK(elsewhere.publicKey) })],
  ['x5c, a certificate', () => signedElsewhere({ x5c: ['MIIB'] })],
  ['a path for its key id', () => signedElsewhere({ kid: '../../dev/null' })],
  ['an object for its key id', () => signedElsewhere({ kid: { toString: 'one' } })],
  [
    'an unknown critical extension',
    () => signedByIssuer({ crit: ['http://x.example'], 'http://x.example': 1 }),
  ],
  [
    'b64: false',
    async () => {
      const { protected: header, signature } = await new FlattenedSign(BODY)
        .setProtectedHeader({ alg: 'ES256', kid: 'one', crit: ['b64'], b64: false })
        .sign(issuer.privateKey);
      return [header, BODY.toString('base64url'), signature].join('.');
    },
  ],
  [
    'no critical extensions in a list of them',
    async () => {
      const [, body, signature] = (await issuer.token()).split('.');
      return [base64({ alg: 'ES256', kid: 'one', crit: [] }), body, signature].join('.');
    },
  ],
  [
    'encryption',
    () => new EncryptJWT(CLAIMS).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(SECRET),
  ],
  [
    'encryption by a password of 1,000,000 rounds',
    async () => {
      const token = await new CompactEncrypt(BODY)
        .setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM' })
        .encrypt(SECRET);
      const header = {
        alg: 'PBES2-HS256+A128KW',
        enc: 'A256GCM',
        p2c: 1_000_000,
        p2s: 'AAAAAAAAAAA',
      };
      return [base64(header), ...token.split('.').slice(1)].join('.');
    },
  ],
  [
    'compression',
    async () => {
      const token = await new CompactEncrypt(BODY)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(SECRET);
      return [
        base64({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' }),
        ...token.split('.').slice(1),
      ].join('.');
    },
  ],
];

/** What an issuer publishes of its key, as somebody may have pasted it into a configuration. */
async function publicForms(): Promise<readonly (readonly [string, Buffer])[]> {
  const forms: (readonly [string, Buffer])[] = [];
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  const ec = KeyObject.from(issuer.publicKey);
  for (const key of [ec, rsa]) {
    const pem = key.export({ type: 'spki', format: 'pem' }).toString();
    const jwk = JSON.stringify(key.export({ format: 'jwk' }));
    const late = `${'# as text\n'.repeat(1_000)}${pem}`;
    const texts = [pem, pem.trim(), `\n  \t${pem}`, `# the key\r\n${pem}`, late, jwk, ` ${jwk}`];
    const der = [key.export({ type: 'spki', format: 'der' })];
    if (key === rsa) der.push(key.export({ type: 'pkcs1', format: 'der' }));
    const armored = der.flatMap((bytes) => [
      bytes.toString('base64'),
      `${bytes.toString('base64')}\n`,
      bytes.toString('base64').replaceAll(/.{64}/g, '$&\n'),
      bytes.toString('base64url'),
    ]);
    for (const text of [...texts, ...armored]) forms.push([text, Buffer.from(text)]);
    for (const bytes of der) forms.push([bytes.toString('hex'), bytes]);
  }
  const certificate = makeAuthority().cert.replaceAll(/-----[^-]+-----|\n/g, '');
  return [
    ...forms,
    ['a certificate in base64', Buffer.from(certificate)],
    ['a certificate in DER', Buffer.from(certificate, 'base64')],
  ];
}

/** Every form of secret that jose takes. */
async function secretsOf(bytes: Buffer): Promise<readonly [string, Secret][]> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const imported = (extractable: boolean): Promise<CryptoKey> =>
    webcrypto.subtle.importKey('raw', bytes, hmac, extractable, ['verify']);
  return [
    ['bytes', bytes],
    ['a key object', createSecretKey(bytes)],
    ['a CryptoKey', await imported(true)],
    ['a CryptoKey that cannot be exported', await imported(false)],
    ['a JWK', { kty: 'oct', k: bytes.toString('base64url'), alg: 'HS256' }],
  ];
}

describe('a token', () => {
  it.each(HOSTILE)('with %s is refused, and no other address is asked', async (_, make) => {
    expect(await ask(await make())).toBe('UNAUTHENTICATED');
    expect(elsewhere.fetched).toBe(0);
  });

  it.each([undefined, ['HS256'], ['HS256', 'ES256']])(
    'signed by HS256 with a public key is refused where the algorithms are %j',
    async (algorithms) => {
      const options = algorithms && { algorithms };
      const { publicKey } = issuer;
      const fixed = [issuer.jwks, publicKey];
      // Where only secrets are accepted, fixed public keys are refused at once.
      const isSecret = algorithms?.length === 1;
      const sources: KeySource[] = [() => publicKey, ...(isSecret ? [] : fixed)];
      for (const jwks of isSecret ? fixed : []) {
        expect(() => sourceOf({ ...options, jwks })).toThrow(OptionsError);
      }
      for (const [form, bytes] of await publicForms()) {
        const token = await new SignJWT(CLAIMS)
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(bytes);
        for (const jwks of sources) {
          const answer = await ask(token, { ...options, jwks });
          expect([form, answer]).toEqual([form, 'UNAUTHENTICATED']);
        }
        for (const [type, key] of await secretsOf(bytes)) {
          const answer = await ask(token, { ...options, jwks: () => key });
          expect([form, type, answer]).toEqual([form, type, 'UNAUTHENTICATED']);
          expect(() => sourceOf({ ...options, jwks: key as KeySource })).toThrow(
            'authz: bearerSubject: jwks: must be a key object, not a public key as a secret',
          );
        }
      }
    },
  );

  it.each<[string, Buffer]>([
    ['bytes', SECRET],
    ['bytes that begin like DER', Buffer.concat([Buffer.of(0x30, 0x1e), SECRET.subarray(2)])],
    ['a text in base64', Buffer.from(Buffer.concat([Buffer.of(0x30), SECRET]).toString('base64'))],
  ])(
    'signed with a secret of the app is accepted where its algorithm is asked for: %s',
    async (_, secret) => {
      const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256' }).sign(secret);
      for (const [, key] of await secretsOf(secret)) {
        const jwks = key as KeySource;
        expect(await ask(token, { jwks, algorithms: ['HS256'] })).toMatchObject({ id: 'eve' });
        expect(() => sourceOf({ jwks })).toThrow(/jwks: .* is for HS/);
        expect(await ask(token, { jwks: (() => key) as KeySource })).toBe('UNAUTHENTICATED');
      }
    },
  );

  it('never gets the claims of another that differs by a letter or is asked about meanwhile', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    const tokens = await Promise.all(names.map((sub) => issuer.token({ sub, roles: [sub] })));
    const source = sourceOf();
    const subjects = await Promise.all([...tokens, ...tokens].map((token) => askOf(source, token)));
    expect(subjects.map((subject) => (subject as Subject).roles)).toEqual(
      [...names, ...names].map((sub) => [sub]),
    );
    const [header, , signature] = tokens[0]!.split('.');
    const mixed = [header, tokens[1]!.split('.')[1], signature].join('.');
    expect(await askOf(source, mixed)).toBe('UNAUTHENTICATED');
  });
});

describe('the option typ', () => {
  it.each([
    ['at+jwt', 'at+jwt', true],
    ['at+jwt', 'AT+JWT', true],
    ['at+jwt', 'application/at+jwt', true],
    ['application/at+jwt', 'at+jwt', true],
    ['application/at+jwt', 'Application/AT+jwt', true],
    ['at+jwt', 'JWT', false],
    ['at+jwt', 'example/at+jwt', false],
    ['at+jwt', 'at+jwt ', false],
    ['at+jwt', '', false],
    ['at+jwt', undefined, false],
    ['at+jwt', ['at+jwt'], false],
    [undefined, 'anything', true],
    [undefined, undefined, true],
  ])('%j meets the type %j: %j', async (typ, header, accepted) => {
    const token = await issuer.token({}, { typ: header });
    const answer = await ask(token, typ === undefined ? {} : { typ });
    expect(answer === 'UNAUTHENTICATED').toBe(!accepted);
  });
});

describe('keys without TLS', () => {
  /** The warnings of the process that making a source causes. */
  function warnings(jwks: BearerSubjectOptions['jwks']): unknown[] {
    const spy = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    try {
      sourceOf({ jwks });
      return spy.mock.calls;
    } finally {
      spy.mockRestore();
    }
  }

  it.each(['http://id.example/jwks', new URL('http://10.0.0.1:8080/jwks?secret=1')])(
    'are warned of at once: %s',
    (jwks) => {
      expect(warnings(jwks)).toEqual([
        [
          `authz: the keys that sign tokens come from ${new URL(jwks).origin} without TLS, so that ` +
            'anyone on the network can replace them; use https',
          { code: 'APIX_KEYS_WITHOUT_TLS' },
        ],
      ]);
    },
  );

  it.each([
    'https://id.example/jwks',
    'http://localhost:1/jwks',
    'http://id.localhost/jwks',
    'http://127.1/jwks',
    'http://[::1]:1/jwks',
    () => SECRET,
  ])('of this machine, or from elsewhere, are not warned of: %s', (jwks) => {
    expect(warnings(jwks)).toEqual([]);
  });
});
