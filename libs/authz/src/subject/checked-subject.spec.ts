import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import { Authorizer } from '../decide/authorizer.js';
import { DECISIONS, EVERY_POLICY, policySet } from '../policy-set.fixture.js';
import { prepareSubject } from './checked-subject.js';
import type { Subject } from './subject.js';

const authorizer = new Authorizer(ProtoRegistry.load(policySet(EVERY_POLICY)), {
  subject: () => null,
});
const NOBODY: Subject = { roles: [], permissions: [] };
const STAFF: Subject = { id: 'ada', roles: ['staff'], permissions: ['orders:read'] };

describe('prepareSubject()', () => {
  it.each(DECISIONS)('changes no decision: %s and %j with %s', (method, who, expected) => {
    const subject = prepareSubject(who && { roles: [], permissions: [], ...who });
    expect(authorizer.authorize(undefined, method, subject)?.status ?? 'OK').toBe(expected);
  });

  it('remembers decisions by method, not across methods and subjects', () => {
    const subjects = [STAFF, { roles: ['admin'], permissions: ['orders:write'] }, NOBODY];
    const prepared = subjects.map((subject) => prepareSubject(subject));
    const decide = (whom: readonly Subject[]): unknown[] =>
      authorizer.methods
        .names()
        .flatMap((name) => whom.map((who) => authorizer.authorize(undefined, name, who)?.status));
    const expected = decide(subjects);
    expect(new Set(expected).size).toBe(2);
    expect(decide(prepared)).toEqual(expected);
    expect(decide(prepared)).toEqual(expected);
  });

  it('keeps all that a subject has', () => {
    const extended = { ...STAFF, claims: { tenant: 'a' }, tenant: 'a' };
    const prepared = prepareSubject(extended);
    expect(prepared).toEqual(extended);
    expect(prepared.claims).toBe(extended.claims);
    expect(prepared.constructor).toBe(Object);
    expect(prepareSubject(prepared)).toBe(prepared);
    expect(prepareSubject(null)).toBeNull();
  });

  it('cannot be changed, and does not change with its source', () => {
    const roles = ['guest'];
    const prepared = prepareSubject({ roles, permissions: [] });
    roles.push('admin');
    expect(prepared.roles).toEqual(['guest']);
    expect(() => prepared.roles.push('admin')).toThrow(TypeError);
    expect(() => Object.assign(prepared, { roles })).toThrow(TypeError);
    expect(() => Object.setPrototypeOf(prepared, { id: 'eve' })).toThrow(TypeError);
  });

  it.each([
    undefined,
    {},
    'admin',
    ['admin'],
    { roles: 'admin', permissions: [] },
    { roles: [], permissions: [1] },
    { roles: Object.assign([], { length: 2 ** 32 - 1 }), permissions: [] },
    { roles: new Proxy(['admin'], {}), permissions: [] },
    new Proxy(STAFF, {}),
  ])('refuses %p, which is not a subject', (value) => {
    expect(() => prepareSubject(value as never)).toThrow(
      'authz: prepareSubject() needs { roles: string[], permissions: string[] }, or null for an anonymous caller',
    );
  });

  it('checks what it keeps, although a getter returns something else later', () => {
    let reads = 0;
    const prepared = prepareSubject({
      get roles() {
        return reads++ === 0 ? ['guest'] : [{ toString: () => 'admin' }];
      },
      permissions: [],
    } as Subject);
    expect(prepared.roles).toEqual(['guest']);
    const list = ['guest'];
    list[Symbol.iterator] = () => ['admin'].values();
    expect(prepareSubject({ roles: list, permissions: [] }).roles).toEqual(['guest']);
  });

  it.each<[string, (prepared: Subject) => object]>([
    ['a proxy', (prepared) => new Proxy(prepared, {})],
    ['an heir', (prepared) => Object.create(prepared, { roles: { value: 'admin' } }) as object],
    ['a copy', (prepared) => ({ ...prepared, roles: 'admin' })],
  ])('%s of a prepared subject is not one', (_, derive) => {
    const derived = derive(prepareSubject(STAFF)) as Subject;
    const refused = authorizer.authorize(undefined, '/test.Orders/Own', derived);
    expect(refused?.status).toBe('UNAUTHENTICATED');
  });
});
