import { type CallContext, Code, StatusError } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { policySet } from '../policy-set.fixture.js';
import type { SubjectFunc } from '../subject/subject.js';
import { Authorizer } from './authorizer.js';
import type { AuthorizerOptions } from './authorizer-options.js';

const call: CallContext = {
  door: 'grpc',
  method: { fullName: '', service: '', name: 'tools/list', kind: 'unary' },
  metadata: { get: () => [], keys: () => [] },
  peer: { address: '' },
  signal: new AbortController().signal,
  forwarded: true,
};

const wanted = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 });
// Others than those, for rules that could never pass are refused.
const unwanted = fc.uniqueArray(fc.constantFrom('d', 'e'), { maxLength: 2 });
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 4 });
const rule = fc.record({ anyOf: wanted, allOf: wanted, noneOf: unwanted }, { requiredKeys: [] });
const requirement = fc.oneof(
  fc.constant({ public: true }),
  fc.record({ roles: rule, permissions: rule }, { requiredKeys: [] }),
  fc.constant(undefined),
);
const services = fc.record({
  S: fc.record({
    default: requirement,
    methods: fc.dictionary(
      fc.constantFrom('A', 'B', 'C', 'D', 'E'),
      requirement.map((requires) => ({ ...(requires !== undefined && { requires }) })),
      { minKeys: 1 },
    ),
  }),
});
const subject = fc.option(
  fc.record({ id: fc.constantFrom('ada', 'bob'), roles: names, permissions: names }),
);

describe('what a caller may call', () => {
  it('is what authorize() allows, by 200 policies, and counts no decision', async () => {
    await fc.assert(
      fc.asyncProperty(
        services,
        subject,
        fc.constantFrom('allow', 'deny'),
        fc.constantFrom('enforce', 'shadow'),
        async (specs, caller, unannotated, mode) => {
          const decided: string[] = [];
          const options = {
            subject: () => caller,
            unannotated,
            mode,
            onDecision: ({ method }) => void decided.push(method),
          } satisfies AuthorizerOptions;
          const { default: fallback, methods } = specs.S;
          const spec = { methods, ...(fallback !== undefined && { default: fallback }) };
          const registry = ProtoRegistry.load(policySet({ S: spec }));
          const authorizer = new Authorizer(registry, options);
          const access = await authorizer.accessOf(call);
          const all = [...authorizer.methods.names(), '/test.S/Unknown'];
          const allowed = all.filter((name) => access.of(name) === 'allowed');
          expect(decided).toEqual([]);
          const expected = all.filter((name) => authorizer.authorize(call, name, caller) === null);
          expect(allowed).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  const access = (subjectOf: SubjectFunc, options: Partial<AuthorizerOptions> = {}) => {
    const spec = { methods: { A: { requires: { roles: { anyOf: ['a'] } } } } };
    const registry = ProtoRegistry.load(policySet({ S: spec }));
    return new Authorizer(registry, { subject: subjectOf, ...options });
  };

  it('is not known of a caller whose credentials are not accepted', async () => {
    const refused = access(() => {
      throw new Error('expired');
    });
    expect(() => refused.accessOf(call)).toThrow(StatusError);
    const later = access(() => Promise.reject(new Error('expired')));
    await expect(later.accessOf(call)).rejects.toMatchObject({ code: Code.UNAUTHENTICATED });
    const garbage = access(() => ({ roles: 'a' }) as never);
    expect(() => garbage.accessOf(call)).toThrow(expect.objectContaining({ code: Code.INTERNAL }));
  });

  it('is everything in shadow mode, without asking who calls', async () => {
    const shadow = access(
      () => {
        throw new Error('expired');
      },
      { mode: 'shadow' },
    );
    expect((await shadow.accessOf(call)).of('/test.S/A')).toBe('allowed');
  });

  it('is nothing protected for an anonymous caller, and says who the caller is', async () => {
    const anonymous = await access(() => null).accessOf(call);
    expect([anonymous.isAnonymous, anonymous.caller, anonymous.of('/test.S/A')]).toEqual([
      true,
      undefined,
      'denied',
    ]);
    const ada = await access(() => ({ id: 'ada', roles: ['a'], permissions: [] })).accessOf(call);
    expect([ada.isAnonymous, ada.caller, ada.of('/test.S/A')]).toEqual([false, 'ada', 'allowed']);
  });
});
