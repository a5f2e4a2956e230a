import type { CallContext } from '@apix/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerSubject } from '../src/identity/caller.js';
import { ADMIN, DemoIssuer } from '../src/identity/demo-issuer.js';
import { keptSecret } from '../src/store/kept-secret.js';

const KEY = 'issuer-key.pem';
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

function callWith(token: string): CallContext {
  return {
    door: 'direct',
    method: { fullName: '/shop.v1.Orders/Get', service: '', name: '', kind: 'unary' },
    metadata: { get: () => [`Bearer ${token}`], keys: () => ['authorization'] },
    peer: { address: '' },
    signal: new AbortController().signal,
    forwarded: false,
  };
}

const given = { ...process.env };
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'identity-'));
  process.env['DATA_DIR'] = join(folder, 'data');
});
afterEach(async () => {
  process.env = { ...given };
  await rm(folder, { recursive: true });
});

describe('the tokens of the demo', () => {
  const subjectIn = (token: string) => callerSubject(new DemoIssuer())(callWith(token));

  it('are valid after a restart', async () => {
    const token = await new DemoIssuer().token(ADMIN);
    expect(await subjectIn(token)).toMatchObject({ id: 'grace', roles: ['admin'] });
  });

  it('are not valid in another DATA_DIR', async () => {
    const token = await new DemoIssuer().token(ADMIN);
    process.env['DATA_DIR'] = join(folder, 'other');
    await expect(subjectIn(token)).rejects.toThrow();
  });

  it.each(['NODE_ENV', 'APP_ENVIRONMENT'])(
    'are not accepted where %s says production, and no key is kept or read there',
    async (name) => {
      const token = await new DemoIssuer().token(ADMIN);
      process.env[name] = 'Production';
      const issuer = new DemoIssuer();
      for (const one of [token, await issuer.token(ADMIN)]) {
        expect(await callerSubject(issuer)(callWith(one))).toBeNull();
      }
      await expect(issuer.subject(callWith(token))).rejects.toThrow();
      process.env['DATA_DIR'] = join(folder, 'other');
      expect(new DemoIssuer().publicKey).not.toBe(issuer.publicKey);
      expect(await readdir(folder)).toEqual(['data']);
    },
  );

  it('are not accepted either where a provider is named, outside of production too', async () => {
    const issuer = new DemoIssuer();
    Object.assign(process.env, {
      AUTH_JWKS: 'https://127.0.0.1:1/keys',
      AUTH_ISSUER: 'https://idp',
    });
    expect(() => callerSubject(issuer)).toThrow('demo: AUTH_AUDIENCE is missing');
    process.env['AUTH_AUDIENCE'] = 'shop';
    const subject = callerSubject(issuer);
    await expect(subject(callWith(await issuer.token(ADMIN)))).rejects.toThrow();
  });

  it.each([
    ['something else', 'not a key'],
    ['empty', ''],
    ['a key of another kind', RSA],
  ])('name the file of their key when that is %s', async (_, text) => {
    keptSecret(KEY, () => text);
    expect(() => new DemoIssuer()).toThrow(
      new RegExp(`^demo: .*${KEY} is not a P-256 key in PEM: delete it`),
    );
  });
});

describe('a kept secret', () => {
  const path = () => join(process.env['DATA_DIR']!, 'secret');
  const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

  it('is made once, and its file and folder are of their owner alone', async () => {
    expect(keptSecret('secret', () => 'one')).toBe('one');
    expect(keptSecret('secret', () => 'two')).toBe('one');
    expect(await modeOf(path())).toBe('600');
    expect(await modeOf(process.env['DATA_DIR']!)).toBe('700');
    expect(await readdir(process.env['DATA_DIR']!)).toEqual(['secret']);
  });

  it('is closed to others again when its file was open to them', async () => {
    keptSecret('secret', () => 'one');
    await chmod(path(), 0o644);
    keptSecret('secret', () => 'two');
    expect(await modeOf(path())).toBe('600');
  });

  it('is that of the other process when both make it at the same time', async () => {
    const mine = keptSecret('secret', () => {
      keptSecret('secret', () => 'theirs');
      return 'mine';
    });
    expect(mine).toBe('theirs');
    expect(await readFile(path(), 'utf8')).toBe('theirs');
    expect(await readdir(process.env['DATA_DIR']!)).toEqual(['secret']);
  });

  it('names its file when that cannot be read', async () => {
    await writeFile(join(folder, 'data'), 'a file where the folder should be');
    expect(() => keptSecret('secret', () => 'one')).toThrow(
      `demo: ${path()} cannot be read as this user's own file`,
    );
  });
});
