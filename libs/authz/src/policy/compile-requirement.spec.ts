import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Subject } from '../subject/subject.js';
import { compileRequirement } from './compile-requirement.js';
import { findings } from './explain.js';
import type { Requirement, Rule } from './requirement.js';

const values = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 4 });
const rule: fc.Arbitrary<Rule> = fc.record({ anyOf: values, allOf: values, noneOf: values });
const maybe = fc.option(rule, { nil: undefined });
const requirement: fc.Arbitrary<Extract<Requirement, { kind: 'protected' }>> = fc.record({
  kind: fc.constant('protected' as const),
  roles: maybe,
  permissions: maybe,
});
const subject: fc.Arbitrary<Subject> = fc.record({ roles: values, permissions: values });

/** The spec's table, in as few words as it has. */
function passes({ anyOf, allOf, noneOf }: Rule, held: readonly string[]): boolean {
  const has = (value: string): boolean => held.includes(value);
  return (anyOf.length === 0 || anyOf.some(has)) && allOf.every(has) && !noneOf.some(has);
}

describe('a compiled requirement', () => {
  it('decides as the rules are written, for any rules and any subject', () => {
    fc.assert(
      fc.property(requirement, subject, (required, who) => {
        const roles = required.roles === undefined || passes(required.roles, who.roles);
        const permissions =
          required.permissions === undefined || passes(required.permissions, who.permissions);
        const expected = roles ? (permissions ? undefined : 'permissions') : 'roles';
        expect(compileRequirement(required)(who)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is explained by findings that all hold just when it passes', () => {
    fc.assert(
      fc.property(requirement, subject, (required, who) => {
        const all = findings(required, who);
        expect(all.every(({ passed }) => passed)).toBe(
          compileRequirement(required)(who) === undefined,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['public', { kind: 'public' }],
    ['empty', { kind: 'protected' }],
  ] as const)('passes every subject when it is %s', (_, required) => {
    expect(compileRequirement(required)({ roles: [], permissions: [] })).toBeUndefined();
  });
});
