import type { CallContext, StatusError } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import type { RequestListener } from 'node:http';
import type { BearerSubjectOptions } from './bearer-options.js';
import { bearerSubject } from './bearer-subject.js';
import { AUDIENCE, ISSUER, type Issuer, startIssuer } from './issuer.fixture.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let issuer: Issuer;
let clock: FakeClock;
beforeEach(async () => {
  issuer = await startIssuer();
  clock = fakeClock(Date.now());
});
afterEach(() => issuer.close());

type Ask = (header?: object | string) => Promise<string>;

/** Makes a source of subjects; returns what a token, or one with this header, comes to. */
function source(options: Partial<BearerSubjectOptions> = {}): Ask {
  const subject = bearerSubject({
    jwks: issuer.jwks,
    issuer: ISSUER,
    audience: AUDIENCE,
    clock,
    ...options,
  });
  return async (header = {}) => {
    const token = typeof header === 'string' ? header : await issuer.token({}, header);
    return outcome(subject(callWith(`Bearer ${token}`)));
  };
}

async function outcome(answer: unknown): Promise<string> {
  try {
    await answer;
    return 'OK';
  } catch (error) {
    return (error as StatusError).status;
  }
}

function callWith(authorization: string): CallContext {
  return {
    door: 'direct',
    method: { fullName: '/test.Orders/Cancel', service: '', name: '', kind: 'unary' },
    metadata: { get: () => [authorization], keys: () => ['authorization'] },
    peer: { address: '' },
    signal: new AbortController().signal,
    forwarded: false,
  };
}

const down: RequestListener = (_, response) => void response.writeHead(503).end();

async function keySet(...ids: readonly string[]): Promise<string> {
  const key = await exportJWK(issuer.publicKey);
  return JSON.stringify({ keys: ids.map((kid) => ({ ...key, kid })) });
}

describe('keys that are known', () => {
  it('go on while the provider is down for an hour, which is asked once a cooldown', async () => {
    const ask = source();
    const token = await issuer.token({});
    expect(await ask(token)).toBe('OK');
    issuer.serve(down);
    const before = issuer.fetched;
    for (let passed = 0; passed < HOUR; passed += 5 * SECOND) {
      await clock.advance(5 * SECOND);
      expect(await ask(token)).toBe('OK');
      await issuer.idle();
    }
    // From the tenth minute on, after 1, 2, 4, 8 and 16 seconds, then every 30.
    expect(issuer.fetched - before).toBeGreaterThan(80);
    expect(issuer.fetched - before).toBeLessThan(108);
  });

  it('are replaced when the provider is back', async () => {
    const ask = source();
    await ask();
    issuer.serve(down);
    await clock.advance(11 * MINUTE);
    expect(await ask()).toBe('OK');
    const next = await keySet('two');
    issuer.serve((_, response) => void response.end(next));
    await clock.advance(31 * SECOND);
    await ask();
    await issuer.idle();
    await untilStatus(ask, 'UNAUTHENTICATED');
    expect(await ask({ kid: 'two' })).toBe('OK');
  });

  it.each<[string, Partial<BearerSubjectOptions>, number]>([
    ['four hours', {}, 4 * HOUR],
    ['the option keysMaxStale', { keysMaxStale: '20m' }, 20 * MINUTE],
    ['0 ms', { keysMaxStale: 0 }, 0],
  ])('are used for at most %s after they are stale', async (_, options, stale) => {
    const ask = source(options);
    await ask();
    issuer.serve(down);
    await clock.advance(10 * MINUTE - 1);
    expect(await ask()).toBe('OK');
    await clock.advance(stale);
    expect(await ask()).toBe('OK');
    await clock.advance(1);
    expect(await ask()).toBe('UNAVAILABLE');
  });

  it('are withdrawn at once by a provider that answers without them', async () => {
    const ask = source();
    await ask();
    issuer.serve((_, response) => void response.end('{"keys":[]}'));
    await clock.advance(10 * MINUTE);
    expect(await ask()).toBe('UNAUTHENTICATED');
  });

  it('do not wait for a provider that has been found slow', async () => {
    const ask = source();
    await ask();
    issuer.serve(() => {});
    await clock.advance(10 * MINUTE);
    const first = ask();
    await issuer.asked(2);
    await clock.advance(3 * SECOND);
    expect(await first).toBe('OK');
    await clock.advance(2 * SECOND);
    expect(await ask()).toBe('OK');
    await issuer.asked(3);
  });

  it('are fetched again after the clock was set back', async () => {
    const ask = source();
    await ask();
    clock.jump(-5 * HOUR);
    await ask();
    expect(issuer.fetched).toBe(2);
  });
});

describe('a provider that is down from the start', () => {
  it('is asked once for 1,000 calls together, and not again until the time is up', async () => {
    issuer.serve(down);
    const ask = source();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask()));
    expect(new Set(answers)).toEqual(new Set(['UNAVAILABLE']));
    expect(issuer.fetched).toBe(1);
    expect(await ask()).toBe('UNAVAILABLE');
    expect(issuer.fetched).toBe(1);
    const waits = [1, 2, 4, 8, 16, 30, 30];
    for (const [index, wait] of waits.entries()) {
      await clock.advance(wait * SECOND - 1);
      await ask();
      expect(issuer.fetched).toBe(index + 1);
      await clock.advance(1);
      await ask();
      expect(issuer.fetched).toBe(index + 2);
    }
  });
});

describe('unknown key ids', () => {
  it('cause one fetch a cooldown, 10,000 of them', async () => {
    const ask = source();
    await ask();
    await clock.advance(30 * SECOND);
    // Their signatures are not looked at, for want of a key.
    const rest = (await issuer.token()).replace(/^[^.]*/, '');
    const tokens = Array.from({ length: 10_000 }, (_, index) => {
      const header = JSON.stringify({ alg: 'ES256', kid: `unknown-${index}` });
      return Buffer.from(header).toString('base64url') + rest;
    });
    const answers = await Promise.all(tokens.map((token) => ask(token)));
    expect(new Set(answers)).toEqual(new Set(['UNAUTHENTICATED']));
    expect(issuer.fetched).toBe(2);
    expect(await ask()).toBe('OK');
    await clock.advance(29 * SECOND);
    await ask({ kid: 'x' });
    expect(issuer.fetched).toBe(2);
    await clock.advance(1 * SECOND);
    await ask({ kid: 'x' });
    expect(issuer.fetched).toBe(3);
  });

  it('share the cooldown with calls while the provider is down, and are UNAVAILABLE', async () => {
    const ask = source();
    await ask();
    await clock.advance(30 * SECOND);
    issuer.serve(down);
    for (let count = 0; count < 100; count++) {
      expect(await ask({ kid: `unknown-${count}` })).toBe('UNAVAILABLE');
      expect(await ask()).toBe('OK');
    }
    expect(issuer.fetched).toBe(2);
  });

  it('find a key that the provider has since added', async () => {
    const ask = source();
    await ask();
    await clock.advance(30 * SECOND);
    const both = await keySet('one', 'two');
    issuer.serve((_, response) => void response.end(both));
    expect(await ask({ kid: 'two' })).toBe('OK');
  });
});

describe('a provider that misbehaves', () => {
  it('is not followed to another address', async () => {
    const other = await startIssuer();
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        issuer.serve((_, response) => {
          response.writeHead(status, { location: other.jwks }).end(JSON.stringify({ keys: [] }));
        });
        expect(await source()()).toBe('UNAVAILABLE');
      }
      expect(other.fetched).toBe(0);
    } finally {
      other.close();
    }
  });

  it('is cut off at a mebibyte, however much it sends', async () => {
    const sent = { bytes: 0 };
    issuer.serve((_, response) => {
      const chunk = Buffer.alloc(65_536, ' ');
      const write = (): void => {
        while (!response.destroyed && sent.bytes < 100 * 1_048_576) {
          sent.bytes += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
      };
      write();
    });
    expect(await source()()).toBe('UNAVAILABLE');
    expect(sent.bytes).toBeLessThan(30 * 1_048_576);
  });

  it('is read up to a mebibyte and no byte more', async () => {
    const keys = await keySet('one');
    issuer.serve((_, response) => void response.end(keys.padEnd(1_048_576)));
    expect(await source()()).toBe('OK');
    issuer.serve((_, response) => void response.end(keys.padEnd(1_048_577)));
    expect(await source()()).toBe('UNAVAILABLE');
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => {}],
    [
      'sends a byte a moment',
      (_, response) => {
        const timer = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(timer));
      },
    ],
    ['never ends its answer', (_, response) => void response.write('{"keys":[]}')],
  ])('has three seconds: one that %s', async (_, listener) => {
    issuer.serve(listener);
    const answer = source()();
    await issuer.asked(1);
    await clock.advance(3 * SECOND);
    expect(await answer).toBe('UNAVAILABLE');
    await issuer.idle();
    expect(clock.pending).toBe(0);
  });

  it.each<[string, string]>([
    ['no JSON', '<html>'],
    ['a list', '[]'],
    ['keys that are no list', '{"keys":{}}'],
    ['keys that are no objects', '{"keys":[null]}'],
    ['nothing', ''],
  ])('keeps no known key from being used by an answer that is %s', async (_, text) => {
    const ask = source();
    await ask();
    issuer.serve((__, response) => void response.end(text));
    await clock.advance(10 * MINUTE);
    expect(await ask()).toBe('OK');
    expect(await ask({ kid: 'x' })).toBe('UNAVAILABLE');
  });

  it('gives no private key and no secret to be used', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const secret = { kty: 'oct', k: 'c2VjcmV0', kid: 'one', alg: 'ES256' };
    for (const key of [{ ...(await exportJWK(privateKey)), kid: 'one' }, secret]) {
      issuer.serve((_, response) => void response.end(JSON.stringify({ keys: [key] })));
      expect(await source()()).not.toBe('OK');
    }
  });
});

/** Background fetches end a moment later than the request that they made. */
async function untilStatus(ask: Ask, status: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await ask()) === status) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`never ${status}`);
}
