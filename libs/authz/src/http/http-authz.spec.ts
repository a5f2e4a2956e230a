import { Code, StatusError } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import { Authorizer } from '../decide/authorizer.js';
import type { Decision } from '../decide/decision.js';
import { bearerSubject } from '../jwt/bearer-subject.js';
import { AUDIENCE, ISSUER, startIssuer } from '../jwt/issuer.fixture.js';
import { SHOP, subjectFromHeader } from '../nest/shop.fixture.js';
import type { SubjectFunc } from '../subject/subject.js';
import { HTTP_DOORS, type HttpDoor, type OpenDoor } from './http-doors.fixture.js';
import type { HttpAuthzOptions } from './refusal-answer.js';
import type { HttpPolicy } from './entry-rule.js';
import { subjectOf } from './subject-of.js';

const CANCEL: HttpPolicy = { rpc: 'test.Orders/Cancel' };
const ADMIN: HttpPolicy = { requires: { roles: { anyOf: ['admin'] } } };

const opened: HttpDoor[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((door) => door.close()));
});

function authorizer(options: Partial<AuthorizerOptions> = {}): Authorizer {
  return new Authorizer(ProtoRegistry.load(SHOP), { subject: subjectFromHeader, ...options });
}

const soon =
  (subject: SubjectFunc): SubjectFunc =>
  async (call) => {
    await Promise.resolve();
    return subject(call);
  };

interface Rig {
  readonly policy?: HttpPolicy;
  readonly authorizer?: Partial<AuthorizerOptions>;
  readonly options?: HttpAuthzOptions;
}

async function served(open: OpenDoor, rig: Rig = {}): Promise<HttpDoor> {
  const door = await open(authorizer(rig.authorizer), rig.policy ?? CANCEL, rig.options);
  opened.push(door);
  return door;
}

async function ask(door: HttpDoor, headers: Record<string, string> = {}) {
  const response = await fetch(door.url, { headers });
  const body = await response.text();
  return { status: response.status, headers: response.headers, body };
}

it('subjectOf throws for a request that nothing has decided about', () => {
  expect(() => subjectOf({})).toThrow(/^authz: subjectOf: no middleware of @apix\/authz\/http/);
});

describe.each(HTTP_DOORS)('a request to %s', (_, open) => {
  describe.each<[string, Rig]>([
    ['the policy of an RPC', {}],
    ['the policy of an RPC with a slash', { policy: { rpc: '/test.Orders/Cancel' } }],
    ['a rule of its own', { policy: ADMIN }],
    [
      'the policy of the RPC that its path leads to',
      {
        policy: {
          rpc: ({ method, path }) =>
            method === 'GET' && path === '/orders/7' ? 'test.Orders/Cancel' : undefined,
        },
      },
    ],
    ['a subject that takes time', { authorizer: { subject: soon(subjectFromHeader) } }],
  ])('for %s', (__, rig) => {
    it('without credentials gets 401, a challenge and a problem document', async () => {
      const door = await served(open, rig);
      const { status, headers, body } = await ask(door);
      expect(JSON.parse(body)).toEqual({
        type: 'about:blank',
        title: 'Unauthorized',
        status: 401,
        detail: 'credentials are missing',
        code: 'UNAUTHENTICATED',
      });
      expect([status, headers.get('content-type'), headers.get('www-authenticate')]).toEqual([
        401,
        'application/problem+json',
        'Bearer',
      ]);
      expect(door.handled()).toBe(0);
    });

    it('that refuses problem documents gets the same as JSON', async () => {
      const door = await served(open, rig);
      const { headers, body } = await ask(door, { accept: 'application/problem+json;q=0' });
      expect(headers.get('content-type')).toBe('application/json');
      expect(JSON.parse(body)).toMatchObject({ code: 'UNAUTHENTICATED' });
    });

    it('without the role gets 403 and no challenge', async () => {
      const door = await served(open, rig);
      const { status, headers, body } = await ask(door, { 'x-roles': 'staff' });
      expect(JSON.parse(body)).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
      expect([status, headers.get('www-authenticate'), door.handled()]).toEqual([403, null, 0]);
    });

    it('with the role reaches the handler, which knows who calls', async () => {
      const door = await served(open, rig);
      const { status, body } = await ask(door, { 'x-roles': 'admin' });
      expect([status, JSON.parse(body)]).toEqual([200, { id: 'admin', body: '' }]);
    });
  });

  it('whose subject function fails is not let in', async () => {
    const door = await served(open);
    expect(await ask(door, { 'x-roles': 'broken' })).toMatchObject({ status: 401 });
    expect(door.handled()).toBe(0);
  });

  it('whose RPC cannot be looked up is not let in', async () => {
    const rpc = (): string => {
      throw new Error('the table is gone');
    };
    const door = await served(open, { policy: { rpc } });
    expect(await ask(door, { 'x-roles': 'admin' })).toMatchObject({ status: 500 });
    expect(door.handled()).toBe(0);
  });

  it.each([
    ['no RPC', undefined],
    ['an RPC that the descriptors do not have', 'test.Orders/Gone'],
  ])('that leads to %s is refused', async (__, found) => {
    const door = await served(open, { policy: { rpc: () => found } });
    expect(await ask(door, { 'x-roles': 'admin' })).toMatchObject({ status: 403 });
    expect(door.handled()).toBe(0);
  });

  it('gets 503 while keys cannot be had', async () => {
    const issuer = await startIssuer();
    const subject = bearerSubject({ jwks: issuer.jwks, issuer: ISSUER, audience: AUDIENCE });
    const door = await served(open, { authorizer: { subject } });
    const authorization = `Bearer ${await issuer.token({ roles: ['admin'] })}`;
    issuer.close();
    expect(await ask(door, { authorization })).toMatchObject({ status: 503 });
    expect(door.handled()).toBe(0);
  });

  it('has a peer, a method and a signal for the subject function', async () => {
    const subject: SubjectFunc = ({ door: kind, peer, method, signal, forwarded }) => ({
      id: `${kind} ${peer.address.split(':')[0]} ${method.fullName} ${signal.aborted} ${forwarded}`,
      roles: ['admin'],
      permissions: [],
    });
    const { body } = await ask(await served(open, { authorizer: { subject } }));
    expect(JSON.parse(body).id).toBe('http 127.0.0.1 /test.Orders/Cancel false false');
  });

  it('with two tokens gets 401', async () => {
    const issuer = await startIssuer();
    const subject = bearerSubject({ jwks: issuer.jwks, issuer: ISSUER, audience: AUDIENCE });
    const door = await served(open, { authorizer: { subject } });
    const token = `Bearer ${await issuer.token({ roles: ['admin'] })}`;
    expect(await ask(door, { authorization: token })).toMatchObject({ status: 200 });
    expect(await ask(door, { authorization: `${token}, ${token}` })).toMatchObject({ status: 401 });
    issuer.close();
  });

  it('is refused before its body has come', async () => {
    const door = await served(open);
    const { hostname, port } = new URL(door.url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /orders/7 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{');
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it('has its whole body when it is let in after a while', async () => {
    const door = await served(open, { authorizer: { subject: soon(subjectFromHeader) } });
    const response = await fetch(door.url, {
      method: 'POST',
      headers: { 'x-roles': 'admin', 'content-type': 'text/plain' },
      body: 'three lines of text',
    });
    expect(await response.json()).toEqual({ id: 'admin', body: 'three lines of text' });
  });

  it('gets the challenge of the options', async () => {
    const challenge = 'Bearer realm="shop"';
    const { headers } = await ask(await served(open, { options: { challenge } }));
    expect(headers.get('www-authenticate')).toBe(challenge);
  });

  it('gets the status that the subject function has thrown', async () => {
    const subject: SubjectFunc = () => {
      throw new StatusError(Code.RESOURCE_EXHAUSTED, 'ask later');
    };
    const { status, body } = await ask(await served(open, { authorizer: { subject } }));
    expect([status, JSON.parse(body)]).toEqual([
      429,
      expect.objectContaining({ detail: 'ask later' }),
    ]);
  });

  it('passes in shadow mode, where the refusal is reported', async () => {
    const seen: Decision[] = [];
    const onDecision = (decision: Decision): void => void seen.push(decision);
    const door = await served(open, {
      policy: { ...ADMIN, name: 'orders' },
      authorizer: { mode: 'shadow', onDecision },
    });
    expect(await ask(door)).toMatchObject({ status: 200 });
    expect(seen).toMatchObject([
      { method: 'orders', door: 'http', allowed: false, reason: 'anonymous', shadow: true },
    ]);
  });

  it('is not asked who calls for an RPC that anyone may call', async () => {
    const door = await served(open, { policy: { rpc: 'test.Orders/Bare' } });
    const { status, body } = await ask(door, { 'x-roles': 'broken' });
    expect([status, JSON.parse(body)]).toEqual([200, { id: null, body: '' }]);
  });

  it('is refused under deny for an RPC without a policy', async () => {
    const door = await served(open, {
      policy: { rpc: 'test.Orders/Bare' },
      authorizer: { unannotated: 'deny' },
    });
    expect(await ask(door, { 'x-roles': 'admin' })).toMatchObject({ status: 403 });
  });

  it.each<[string, unknown, RegExp]>([
    [
      'a misspelt rule',
      { requires: { role: { anyOf: ['admin'] } } },
      /http\.role: is not known here; did you mean roles\?/,
    ],
    [
      'a misspelt list',
      { requires: { roles: { anyof: ['admin'] } } },
      /http\.roles\.anyof: is not known here; did you mean anyOf\?/,
    ],
    [
      'an option that is not known',
      { requires: {}, names: 'orders' },
      /names: is not known here; did you mean name\?/,
    ],
    [
      'an unknown RPC',
      { rpc: 'test.Orders/Gone' },
      /rpc: the descriptors have no method "test\.Orders\/Gone"/,
    ],
    [
      'a rule that cannot pass',
      { requires: { roles: { allOf: ['a'], noneOf: ['a'] } } },
      /http: roles can never pass/,
    ],
    ['neither', {}, /a policy needs either rpc or requires/],
    ['both', { rpc: 'test.Orders/Cancel', requires: {} }, /a policy needs either rpc or requires/],
  ])('cannot be guarded by %s', async (__, policy, said) => {
    await expect(async () => served(open, { policy: policy as HttpPolicy })).rejects.toThrow(said);
  });

  it('cannot be guarded without descriptors', async () => {
    const without = new Authorizer(undefined, { subject: subjectFromHeader });
    await expect(async () => open(without, CANCEL)).rejects.toThrow(/have no method/);
  });

  it('rejects a challenge that is not a valid header', async () => {
    const options = { challenge: 'Bearer\r\nx: y' };
    await expect(async () => served(open, { options })).rejects.toThrow(
      /^authz: http: .*challenge/,
    );
  });
});
