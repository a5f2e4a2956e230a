import { type CallContext, OptionsError, type StatusError } from '@apix/contracts';
import { fakeClock } from '@apix/contracts/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CompactSign,
  SignJWT,
  UnsecuredJWT,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
} from 'jose';
import { KeyObject, generateKeyPairSync } from 'node:crypto';
import type { Subject } from '../subject/subject.js';
import type { BearerSubjectOptions } from './bearer-options.js';
import { bearerSubject } from './bearer-subject.js';
import { AUDIENCE, ISSUER, type Issuer, seconds, startIssuer } from './issuer.fixture.js';

let issuer: Issuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.close());

function callWith(...authorization: readonly string[]): CallContext {
  return {
    door: 'direct',
    method: { fullName: '/test.Orders/Cancel', service: '', name: '', kind: 'unary' },
    metadata: {
      get: (key) => (key === 'authorization' ? authorization : []),
      keys: () => ['authorization'],
    },
    peer: { address: '' },
    signal: new AbortController().signal,
    forwarded: false,
  };
}

type Options = Partial<BearerSubjectOptions>;

/** The subject, or the status and words that the caller gets. */
async function ask(values: readonly string[], options: Options = {}): Promise<unknown> {
  const source = bearerSubject({
    jwks: issuer.jwks,
    issuer: ISSUER,
    audience: AUDIENCE,
    ...options,
  });
  try {
    return await source(callWith(...values));
  } catch (error) {
    const { status, message } = error as StatusError;
    return `${status}: ${message}`;
  }
}

const bearer = async (token: string | Promise<string>): Promise<string> => `Bearer ${await token}`;
const INVALID = 'UNAUTHENTICATED: the token is not valid';

describe('bearerSubject()', () => {
  it('takes no `authorization` for an anonymous caller', async () => {
    expect(await ask([])).toBeNull();
    expect(issuer.fetched).toBe(0);
  });

  it.each([
    ['', 'empty'],
    ['Bearer', 'no token'],
    ['Bearer ', 'an empty token'],
    ['Basic YTpi', 'another scheme'],
    ['Bearer a b', 'two words'],
    ['Bearer a,b', 'a comma'],
    ['Bearer ä', 'no ASCII'],
    ['bearera.b.c', 'no space'],
    ['Bearer\ta.b.c', 'a tab'],
  ])('refuses %j: %s', async (value) => {
    expect(await ask([value])).toBe('UNAUTHENTICATED: authorization must be "Bearer" and a token');
  });

  it('refuses `authorization` that came twice, even with the same good token', async () => {
    const good = await bearer(issuer.token());
    expect(await ask([good, good])).toBe('UNAUTHENTICATED: authorization was sent more than once');
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('knows the scheme as %j', async (scheme) => {
    expect(await ask([`${scheme} ${await issuer.token()}`])).toMatchObject({ id: 'ada' });
  });

  it.each<[string, () => string | Promise<string>, string?]>([
    ['no JWT', () => 'abc'],
    ['three empty parts', () => '..'],
    ['garbage in three parts', () => 'YQ.YQ.YQ'],
    [
      'an expired one',
      () => issuer.token({ exp: seconds(-60) }),
      'UNAUTHENTICATED: the token has expired',
    ],
    ['one without an expiry', () => issuer.token({ exp: undefined })],
    ['one whose expiry is no number', () => issuer.token({ exp: 'never' as never })],
    ['one that is not yet valid', () => issuer.token({ nbf: seconds(60) })],
    ["another issuer's", () => issuer.token({ iss: 'https://other.example' })],
    ["nobody's", () => issuer.token({ iss: undefined })],
    ['one for another audience', () => issuer.token({ aud: 'bank' })],
    ['one for nobody', () => issuer.token({ aud: undefined })],
    ['one of an unknown key', () => issuer.token({}, { kid: 'two' })],
    ['an expired one of another key', () => forged({ exp: seconds(-60) })],
    ['one signed with another key', () => forged({})],
    ['one with `alg: none`', () => unsecured()],
    ['one with `alg: none` and a signature', async () => `${unsecured()}c2ln`],
    ['one with `alg: nOnE`', async () => withHeader({ alg: 'nOnE' })],
    ['one signed with the public key as a secret', () => confused()],
    ['one whose claims were changed', () => tampered()],
    ['one without its signature', async () => (await issuer.token()).replace(/[^.]+$/, '')],
  ])('refuses %s', async (_, token, expected = INVALID) => {
    expect(await ask([await bearer(token())])).toBe(expected);
  });

  it.each(['admin', 'Billing Admin', 'admin,owner'])(
    'takes a claim of roles that is the string %j for one role',
    async (roles) => {
      const nested = { realm_access: { roles } };
      const subject = { roles: [roles], permissions: [] };
      expect(await ask([await bearer(issuer.token({ roles }))])).toMatchObject(subject);
      const value = await bearer(issuer.token(nested));
      const options = { rolesClaim: 'realm_access.roles' };
      expect(await ask([value], options)).toMatchObject(subject);
    },
  );

  it('refuses claims that are neither strings nor lists of strings', async () => {
    for (const roles of [1, true, [1], ['admin', 1], { admin: true }, null, [['admin']]]) {
      expect(await ask([await bearer(issuer.token({ roles }))])).toBe(
        'UNAUTHENTICATED: the token\'s claim "roles" is not a string or a list of strings',
      );
    }
    for (const scope of [7, [7], {}, null]) {
      expect(await ask([await bearer(issuer.token({ scope }))])).toBe(
        'UNAUTHENTICATED: the token\'s claim "scope" is not a string or a list of strings',
      );
    }
  });

  it.each([7, true, null, { name: 'ada' }, ['ada']])(
    'refuses a `sub` that is not a string: %j',
    async (sub) => {
      expect(await ask([await bearer(issuer.token({ sub }))])).toBe(
        'UNAUTHENTICATED: the token\'s claim "sub" is not a string',
      );
    },
  );

  it('refuses an expiry beyond all numbers, which never comes', async () => {
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: seconds(300) };
    const text = JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400');
    const token = new CompactSign(Buffer.from(text))
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign(issuer.privateKey);
    expect(await ask([await bearer(token)])).toBe(INVALID);
  });

  it.each<[string, object, Options, Partial<Subject>]>([
    ['nothing without claims', {}, {}, { id: 'ada', roles: [], permissions: [] }],
    ['roles from `roles`', { roles: ['admin', 'staff'] }, {}, { roles: ['admin', 'staff'] }],
    ['a role with spaces whole', { roles: ['night shift'] }, {}, { roles: ['night shift'] }],
    ['scopes split at spaces', { scope: 'a:b  c:d ' }, {}, { permissions: ['a:b', 'c:d'] }],
    ['scopes from a list', { scope: ['a:b', 'c d'] }, {}, { permissions: ['a:b', 'c d'] }],
    ['no scopes from empty text', { scope: '' }, {}, { permissions: [] }],
    ['scopes from `scp`', { scp: 'a b' }, { scopesClaim: 'scp' }, { permissions: ['a', 'b'] }],
    [
      'roles from inside a claim',
      { realm_access: { roles: ['admin'] } },
      { rolesClaim: 'realm_access.roles' },
      { roles: ['admin'] },
    ],
    [
      'roles from a claim whose name is an address',
      { 'https://shop.example/roles': ['admin'] },
      { rolesClaim: 'https://shop.example/roles' },
      { roles: ['admin'] },
    ],
    ['nothing from a prototype', { realm: {} }, { rolesClaim: 'realm.__proto__' }, { roles: [] }],
  ])('reads %s', async (_, claims, options, expected) => {
    expect(await ask([await bearer(issuer.token({ ...claims }))], options)).toMatchObject(expected);
  });

  it('hands on every claim', async () => {
    const subject = await ask([await bearer(issuer.token({ team: 'west' }))]);
    expect(subject).toMatchObject({ claims: { team: 'west', iss: ISSUER, sub: 'ada' } });
  });

  it('accepts one of several issuers and audiences', async () => {
    const options = { issuer: ['https://old.example', ISSUER], audience: ['bank', AUDIENCE] };
    expect(await ask([await bearer(issuer.token())], options)).toMatchObject({ id: 'ada' });
  });

  it('lets clocks differ by the tolerance', async () => {
    const value = await bearer(issuer.token({ exp: seconds(-30) }));
    expect(await ask([value], { clockTolerance: '1m' })).toMatchObject({ id: 'ada' });
    expect(await ask([value], { clockTolerance: 0 })).toMatch(/expired/);
  });

  it('refuses algorithms that were not asked for', async () => {
    const value = await bearer(issuer.token());
    expect(await ask([value], { algorithms: ['RS256'] })).toBe(INVALID);
    expect(await ask([value], { algorithms: ['ES256'] })).toMatchObject({ id: 'ada' });
  });

  it('takes a key, a key of node:crypto or a set of keys as well', async () => {
    const value = await bearer(issuer.token());
    const local = createLocalJWKSet({ keys: [await exportJWK(issuer.publicKey)] });
    for (const jwks of [issuer.publicKey, KeyObject.from(issuer.publicKey), local]) {
      const token = jwks === local ? await bearer(issuer.token({}, { kid: undefined })) : value;
      expect(await ask([token], { jwks })).toMatchObject({ id: 'ada' });
      expect(await ask([await bearer(forged({}))], { jwks })).toBe(INVALID);
    }
  });

  it('refuses a token whose algorithm does not fit the only key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const token = new SignJWT({ iss: ISSUER, aud: AUDIENCE, exp: seconds(60) })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(privateKey);
    expect(await ask([await bearer(token)], { jwks: issuer.publicKey })).toBe(INVALID);
  });
});

describe('when the keys cannot be fetched, every caller is refused with an error that says so:', () => {
  const UNAVAILABLE = 'UNAVAILABLE: tokens cannot be checked now; try again later';

  it.each<[string, () => void]>([
    ['nobody answers', () => issuer.close()],
    ['an error', () => issuer.serve((_, response) => void response.writeHead(500).end())],
    ['a redirect', () => issuer.serve((_, response) => void response.writeHead(302).end())],
    ['no JSON', () => issuer.serve((_, response) => void response.end('<html>'))],
    ['no keys', () => issuer.serve((_, response) => void response.end('{}'))],
    ['a broken connection', () => issuer.serve((_, response) => void response.destroy())],
  ])('%s', async (_, breakIt) => {
    const value = await bearer(issuer.token());
    breakIt();
    expect(await ask([value])).toBe(UNAVAILABLE);
  });

  it('and a call a second later fetches them again', async () => {
    const value = await bearer(issuer.token());
    const clock = fakeClock();
    const options = { issuer: ISSUER, audience: AUDIENCE, jwks: issuer.jwks, clock };
    const source = bearerSubject(options);
    const { publicKey } = issuer;
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'one' }];
    issuer.serve((_, response) => void response.writeHead(503).end());
    await expect(source(callWith(value))).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    await clock.advance(1_000);
    issuer.serve((_, response) => void response.end(JSON.stringify({ keys })));
    expect(await source(callWith(value))).toMatchObject({ id: 'ada' });
    expect(await source(callWith(value))).toMatchObject({ id: 'ada' });
    expect(issuer.fetched).toBe(2);
  });

  it('a key getter of the app that fails', async () => {
    const jwks = () => Promise.reject(new Error('no vault'));
    expect(await ask([await bearer(issuer.token())], { jwks })).toBe(UNAVAILABLE);
  });
});

describe('bearerSubject() refuses at once', () => {
  const good = { jwks: 'https://id.example/jwks', issuer: ISSUER, audience: AUDIENCE };

  const NOT_A_DURATION =
    'is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"';

  it.each<[string, object, string]>([
    [
      'no keys',
      { jwks: undefined },
      'jwks: must be the keys that sign tokens, or their http(s) URL',
    ],
    [
      'an address without a scheme',
      { jwks: 'id.example/jwks' },
      'jwks: must be an http(s) URL, not "id.example/jwks"',
    ],
    [
      'a file',
      { jwks: 'file:///etc/passwd' },
      'jwks: must be an http(s) URL, not "file:///etc/passwd"',
    ],
    [
      'the URL of a file',
      { jwks: new URL('file:///x') },
      'jwks: must be an http(s) URL, not "file:///x"',
    ],
    [
      'a private key',
      { jwks: generateKeyPairSync('ed25519').privateKey },
      'jwks: must be a public key, not a private one',
    ],
    [
      'an address with a password',
      { jwks: 'https://shop:secret@id.example/jwks' },
      'jwks: must be a URL without a user name and password',
    ],
    [
      'the text of a public key',
      { jwks: Buffer.from('\n-----BEGIN PUBLIC KEY-----') },
      'jwks: must be a key object, not a public key as a secret',
    ],
    ['an empty type', { typ: '' }, 'typ: must be a non-empty string, not ""'],
    [
      'a bound that is not a duration',
      { keysMaxStale: 'soon' },
      `keysMaxStale: "soon" ${NOT_A_DURATION}`,
    ],
    ['a clock that is none', { clock: {} }, 'clock: must be a clock, not an object'],
    [
      'an option that it does not know',
      { audiences: AUDIENCE },
      'audiences: is not known here; did you mean audience?',
    ],
    [
      'an issuer that is not a string',
      { issuer: [ISSUER, 7] },
      'issuer[1]: must be a non-empty string, not 7',
    ],
    ['no issuer', { issuer: undefined }, 'issuer: must be a non-empty string, not undefined'],
    ['an empty issuer', { issuer: '' }, 'issuer: must be a non-empty string, not ""'],
    ['no issuers', { issuer: [] }, 'issuer: must not be an empty array'],
    ['no audience', { audience: undefined }, 'audience: must be a non-empty string, not undefined'],
    ['no audiences', { audience: [] }, 'audience: must not be an empty array'],
    ['no algorithms', { algorithms: [] }, 'algorithms: must not be an empty array'],
    [
      'the algorithm none',
      { algorithms: ['ES256', 'None'] },
      'algorithms: must not contain "none", which accepts tokens that no key signed',
    ],
    ['no roles claim', { rolesClaim: '' }, 'rolesClaim: must be a non-empty string, not ""'],
    [
      'a scopes claim that is a number',
      { scopesClaim: 7 },
      'scopesClaim: must be a non-empty string, not 7',
    ],
    [
      'a clock tolerance that is not a duration',
      { clockTolerance: 'soon' },
      `clockTolerance: "soon" ${NOT_A_DURATION}`,
    ],
  ])('%s', (_, wrong, mistake) => {
    const make = (): unknown => bearerSubject({ ...good, ...wrong });
    expect(make).toThrow(OptionsError);
    expect(make).toThrow(`authz: bearerSubject: ${mistake}`);
  });

  it('all of it together', () => {
    const make = (): unknown => bearerSubject({} as BearerSubjectOptions);
    expect(make).toThrow(
      /^authz: bearerSubject: 3 mistakes:\n {2}issuer: .*\n {2}audience: .*\n {2}jwks: /,
    );
  });
});

/** Signed well, by somebody else, under our key's name. */
async function forged(claims: object): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT({ iss: ISSUER, aud: AUDIENCE, exp: seconds(300), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(privateKey);
}

function unsecured(): string {
  return new UnsecuredJWT({ iss: ISSUER, aud: AUDIENCE, exp: seconds(300) }).encode();
}

/** HS256 with the public key for its secret: what a verifier falls for that trusts `alg`. */
async function confused(): Promise<string> {
  const secret = Buffer.from(JSON.stringify(await exportJWK(issuer.publicKey)));
  return new SignJWT({ iss: ISSUER, aud: AUDIENCE, exp: seconds(300) })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(secret);
}

async function tampered(): Promise<string> {
  const [header, , signature] = (await issuer.token()).split('.');
  const claims = { iss: ISSUER, aud: AUDIENCE, exp: seconds(300), roles: ['admin'] };
  return [header, base64(claims), signature].join('.');
}

async function withHeader(header: object): Promise<string> {
  const [, claims, signature] = (await issuer.token()).split('.');
  return [base64(header), claims, signature].join('.');
}

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
