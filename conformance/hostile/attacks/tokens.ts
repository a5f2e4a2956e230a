import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestListener } from 'node:http';
import { callOn, grpcSession } from '../grpc-call.js';
import { AUDIENCE, ISSUER } from '../key-server.js';
import { knock, oneOf } from '../knock.js';
import type { Attack } from '../row.js';
import type { Site } from '../site.js';

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'mallory',
  roles: ['keeper'],
  exp: Math.floor(Date.now() / 1_000) + 3_600,
};

function hmac(header: object, secret: string): string {
  const text = `${encoded({ alg: 'HS256', kid: 'one', ...header })}.${encoded(CLAIMS)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Tokens that must get nobody in, and from which nothing may be fetched. */
async function forged({ keys }: Site): Promise<readonly string[]> {
  const elsewhere = new URL('/elsewhere', keys.url).href;
  const good = await keys.token();
  const [, claims, signature] = good.split('.');
  const header = (more: object): string =>
    `${encoded({ alg: 'RS256', kid: 'one', ...more })}.${claims}.${signature}`;
  return [
    hmac({}, keys.pem),
    hmac({}, keys.pem.trim()),
    hmac({}, ` ${keys.pem}`),
    hmac({ jwk: { kty: 'oct', k: encoded('secret') } }, 'secret'),
    hmac({ jku: elsewhere }, 'secret'),
    `${encoded({ alg: 'none' })}.${encoded(CLAIMS)}.`,
    header({ crit: ['nope'], nope: 1 }),
    header({ b64: false, crit: ['b64'] }),
    header({ jku: elsewhere }),
    header({ x5u: elsewhere }),
    `${encoded({ alg: 'RSA-OAEP', enc: 'A128GCM', zip: 'DEF' })}.a.a.a.a`,
    `${encoded({ alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', p2c: 1e9, p2s: 'YQ' })}.a.a.a.a`,
    `${good}.`,
    `${good.slice(0, -4)}AAAA`,
  ];
}

/** All of them, and how often the key server was asked meanwhile. */
export const forgedTokens: Attack = async (site, door) => {
  await knock(site, door, 'porch');
  await knock(site, door, 'vault', { authorization: `Bearer ${await site.keys.token()}` });
  const before = site.keys.fetched;
  const answers: string[] = [];
  for (const token of await forged(site)) {
    answers.push(await knock(site, door, 'vault', { authorization: `Bearer ${token}` }));
  }
  return `${oneOf(answers)}; ${site.keys.fetched - before} fetches`;
};

const CALLS = 2_000;
const AT_ONCE = 50;

/** Tokens that name keys nobody has. */
export const unknownKeys: Attack = async (site, door) => {
  await knock(site, door, 'vault', { authorization: `Bearer ${await site.keys.token()}` });
  const [, claims, signature] = (await site.keys.token()).split('.');
  const before = site.keys.fetched;
  const session = grpcSession(site.portOf(door));
  const answers = new Set<string>();
  for (let i = 0; i < CALLS; i += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, j) => {
      const token = `${encoded({ alg: 'RS256', kid: `k${i + j}` })}.${claims}.${signature}`;
      const headers = { authorization: `Bearer ${token}` };
      return callOn(session, { path: '/strangers.v1.Vault/Write', headers });
    });
    for (const { status } of await Promise.all(some)) answers.add(status);
  }
  session.destroy();
  const fetches = site.keys.fetched - before;
  return `${oneOf([...answers])}; ${fetches <= 3 ? 'few' : fetches} fetches`;
};

/** Ways in which a key server misbehaves. */
const MISCHIEF: Readonly<Record<string, RequestListener>> = {
  down: (_, response) => void response.socket?.resetAndDestroy(),
  slow: (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 1_000);
    response.on('close', () => clearInterval(timer));
  },
  endless: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(2 ** 20, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  redirecting: (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
};

/** A fresh app, whose key server has never been well. */
export const badKeyServer =
  (how: keyof typeof MISCHIEF): Attack =>
  async (site, door) => {
    site.keys.answer(MISCHIEF[how]);
    try {
      const authorization = `Bearer ${await site.keys.token()}`;
      return await knock(site, door, 'vault', { authorization });
    } finally {
      site.keys.answer();
    }
  };

const CALLERS = 200;

/** While the key server is down, one fetch is enough for all callers. */
export const manyCallersOfNoKeyServer: Attack = async (site, door) => {
  site.keys.answer(MISCHIEF['down']);
  const session = grpcSession(site.portOf(door));
  try {
    const headers = { authorization: `Bearer ${await site.keys.token()}` };
    const before = site.keys.fetched;
    const answers = new Set<string>();
    for (let i = 0; i < CALLERS; i++) {
      const { status } = await callOn(session, { path: '/strangers.v1.Vault/Write', headers });
      answers.add(status);
    }
    const fetches = site.keys.fetched - before;
    return `${oneOf([...answers])}; ${fetches <= 5 ? 'few' : fetches} fetches`;
  } finally {
    session.destroy();
    site.keys.answer();
  }
};

/** Keys that are known serve on when the server asks for another and gets none. */
export const knownKeysWithoutServer: Attack = async (site, door) => {
  const authorization = `Bearer ${await site.keys.token()}`;
  const first = await knock(site, door, 'vault', { authorization });
  site.keys.answer(MISCHIEF['down']);
  try {
    const [, claims, signature] = authorization.split('.');
    const unknown = `Bearer ${encoded({ alg: 'RS256', kid: 'two' })}.${claims}.${signature}`;
    await knock(site, door, 'vault', { authorization: unknown });
    await sleep(100);
    return oneOf([first, await knock(site, door, 'vault', { authorization })]);
  } finally {
    site.keys.answer();
  }
};
