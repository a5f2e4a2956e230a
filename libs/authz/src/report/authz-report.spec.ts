import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MethodAccess, ReportedDecision } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { explain } from '../cli/explain.js';
import { report } from '../cli/report.js';
import { celConditions } from '../conditions/cel-conditions.js';
import { Authorizer } from '../decide/authorizer.js';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import { policySet } from '../policy-set.fixture.js';
import { AuthzReport } from './authz-report.js';

const conditions = celConditions();
const OPTIONS: AuthorizerOptions = { subject: () => null, unannotated: 'allow', conditions };
const SETS = {
  shop: '../../../../apps/demo/gen/shop.binpb',
  payments: '../../../../apps/demo/gen/payments.binpb',
  fields: '../../testdata/fields.binpb',
  lists: '../../testdata/lists.binpb',
  records: '../../testdata/records.binpb',
} as const;

function fileOf(set: keyof typeof SETS): string {
  return fileURLToPath(new URL(SETS[set], import.meta.url));
}

function reportOf(bytes: Uint8Array, options: Partial<AuthorizerOptions> = {}): AuthzReport {
  const registry = ProtoRegistry.load(bytes);
  return new AuthzReport(new Authorizer(registry, { ...OPTIONS, ...options }));
}

/** With loaders that load nothing, as an app with rules about records must have. */
function reportOfSet(set: keyof typeof SETS): AuthzReport {
  const types = ['records.v1.Record', 'lists.v1.Record', 'shop.v1.Order'];
  const bytes = readFileSync(fileOf(set));
  const known = ProtoRegistry.load(bytes).registry;
  const loaders = types.filter((type) => known.getMessage(type) !== undefined);
  return reportOf(bytes, {
    loaders: Object.fromEntries(loaders.map((type) => [type, () => null])),
  });
}

const ANY = { roles: [], permissions: [] };
const asRole = (role: string) => ({ roles: [role], permissions: [] });

describe.each(['shop', 'payments', 'fields', 'lists', 'records'] as const)(
  'the policies of %s',
  (set) => {
    it('are those of apix-authz report, method by method and field by field', () => {
      const found = reportOfSet(set);
      const rows = [
        ...found.methods().map(({ method, who }) => [method, who]),
        ...found.fields().map(({ field, who }) => [field, who]),
      ];
      const { text } = report([fileOf(set), '--format', 'markdown'], { conditions });
      const lines = text.split('\n').filter((line) => /^\| [/\w]+\.\S* /.test(line));
      expect(rows.length).toBeGreaterThan(0);
      expect(lines).toEqual(
        rows.map(([name, who]) => `| ${name} | ${who!.replaceAll('|', '\\|')} |`),
      );
    });

    it('are explained as apix-authz explain does, for everyone whom they name', () => {
      const found = reportOfSet(set);
      const callers = [
        [null, []],
        [ANY, ['--roles', '']],
        ...found.named().roles.map((role) => [asRole(role), ['--roles', role]] as const),
      ] as const;
      for (const { method } of found.methods()) {
        for (const [caller, args] of callers) {
          const { text } = explain([fileOf(set), method, ...args], { conditions });
          const [, verdict] = /^(?:an|any|roles) [^\n]*?: (.*)$/m.exec(text)!;
          const said = found.explain(method, caller)!;
          const isOpen = verdict!.startsWith('depends on the request');
          if (!isOpen) expect([method, said.verdict]).toEqual([method, verdict]);
          expect(said.access).toBe(found.accessFor(method, caller));
          expect(said.verdict.startsWith('denied')).toBe(said.access === 'denied');
        }
      }
    });
  },
);

describe('what a caller may call by a report', () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 });
  const rule = fc.record(
    {
      anyOf: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      allOf: fc.uniqueArray(fc.constantFrom('a', 'c'), { maxLength: 2 }),
      noneOf: fc.uniqueArray(fc.constant('d'), { maxLength: 1 }),
    },
    { requiredKeys: [] },
  );
  const requires = fc.record({ roles: rule, permissions: rule }, { requiredKeys: [] });

  it('is what authorize() says, and its names are those of the rules', () => {
    fc.assert(
      fc.property(
        requires,
        fc.option(fc.record({ roles: names, permissions: names })),
        (wanted, caller) => {
          const set = policySet({ S: { methods: { A: { requires: wanted }, B: {} } } });
          const authorizer = new Authorizer(ProtoRegistry.load(set), OPTIONS);
          const found = new AuthzReport(authorizer);
          for (const method of ['/test.S/A', '/test.S/B']) {
            const error = authorizer.authorize(undefined, method, caller);
            const access: MethodAccess = error === null ? 'allowed' : 'denied';
            expect(found.accessFor(method, caller)).toBe(access);
            expect(found.explain(method, caller)!.access).toBe(access);
          }
          const named = (on: 'roles' | 'permissions'): string[] => {
            const { anyOf = [], allOf = [], noneOf = [] } = wanted[on] ?? {};
            return [...new Set([...anyOf, ...allOf, ...noneOf])].toSorted();
          };
          expect(found.named()).toEqual({
            roles: named('roles'),
            permissions: named('permissions'),
          });
        },
      ),
    );
  });

  it('is what policies say in shadow mode, too', () => {
    const set = policySet({ S: { methods: { A: { requires: { roles: { anyOf: ['a'] } } } } } });
    const found = reportOf(set, { mode: 'shadow' });
    expect(found.accessFor('/test.S/A', ANY)).toBe('denied');
    expect(found.accessFor('/test.S/A', asRole('a'))).toBe('allowed');
  });

  it('has no explanation of a method that is not known', () => {
    const found = reportOf(policySet({ S: { methods: { A: {} } } }));
    expect(found.explain('/test.S/Nothing', null)).toBeUndefined();
    expect(found.accessFor('/test.S/Nothing', null)).toBe('denied');
  });
});

describe('the decisions of a report', () => {
  const set = policySet({ S: { methods: { A: { requires: { roles: { anyOf: ['a'] } } } } } });

  it('are followed until that ends, besides the observer of the app', () => {
    const observed: string[] = [];
    const authorizer = new Authorizer(ProtoRegistry.load(set), {
      ...OPTIONS,
      onDecision: ({ reason }) => void observed.push(reason),
    });
    const found = new AuthzReport(authorizer);
    const seen: ReportedDecision[] = [];
    const end = found.follow((decision) => seen.push(decision));
    const endOfOther = found.follow(() => {
      throw new Error('must not decide');
    });
    authorizer.authorize(undefined, '/test.S/A', { ...asRole('a'), id: 'ada' });
    authorizer.authorize(undefined, '/test.S/A', null);
    end();
    authorizer.authorize(undefined, '/test.S/A', { ...ANY, id: 'eve' });
    endOfOther();
    const base = { method: '/test.S/A', door: 'direct', matter: null, shadow: false };
    expect(seen).toEqual([
      { ...base, allowed: true, reason: 'passed', caller: 'ada' },
      { ...base, allowed: false, reason: 'anonymous', caller: null },
    ]);
    expect(observed).toEqual(['passed', 'anonymous', 'roles']);
  });

  it('are counted by method where they were denied, but for names that callers choose', () => {
    const authorizer = new Authorizer(ProtoRegistry.load(set), OPTIONS);
    const found = new AuthzReport(authorizer);
    for (const method of ['/test.S/A', '/test.S/A', '/evil/1', '/evil/2']) {
      authorizer.authorize(undefined, method, null);
    }
    authorizer.authorize(undefined, '/test.S/A', asRole('a'));
    expect([...found.denials()]).toEqual([['/test.S/A', 2]]);
  });
});
