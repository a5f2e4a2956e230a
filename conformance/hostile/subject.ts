import type { Subject, SubjectFunc } from '@apix/authz';
import { bearerSubject } from '@apix/authz/jwt';
import type { CallContext } from '@apix/contracts';
import { AUDIENCE, ISSUER } from './key-server.js';

const KEEPER: Subject = { id: 'keeper', roles: ['keeper'], permissions: [] };
const GUEST: Subject = { id: 'guest', roles: [], permissions: [] };

/** Subject functions that do what an app should not, by the token that asks for it. */
const FAULTY: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new TypeError('the directory is broken');
  },
  hangs: () => new Promise(() => {}),
  proxies: () =>
    new Proxy(KEEPER, {
      get: () => {
        throw new Error('no field can be read');
      },
    }),
  endless: () => ({ id: 'endless', permissions: [], roles: endless() }),
};

function* endless(): Generator<string> {
  for (;;) yield 'keeper';
}

/**
 * Who calls: `Bearer keeper` and `Bearer guest`, the cookie `session=keeper`, a token of the key
 * server, and tokens for which the function is faulty.
 */
export function subjectOf(jwks: string): SubjectFunc {
  const signed = bearerSubject({ jwks, issuer: ISSUER, audience: AUDIENCE });
  return (call) => {
    const token = tokenOf(call);
    if (token === undefined) return cookieOf(call) === 'session=keeper' ? KEEPER : null;
    if (token === 'keeper') return KEEPER;
    if (token === 'guest') return GUEST;
    const faulty = FAULTY[token];
    return faulty === undefined ? signed(call) : (faulty() as Subject);
  };
}

function tokenOf({ metadata }: CallContext): string | undefined {
  return metadata.get('authorization')[0]?.replace(/^Bearer /, '');
}

function cookieOf({ metadata }: CallContext): string | undefined {
  return metadata.get('cookie')[0];
}
