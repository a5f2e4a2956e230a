import { describe, expect, it } from '@jest/globals';
import type { PolicyView } from '@apix/contracts';
import fc from 'fast-check';
import { type PossibleCaller, gained } from './access-change.js';
import { compileRequirement } from './compile-requirement.js';
import { requirementOf } from './requirement.js';

const PUBLIC: PolicyView = { kind: 'public' };
const OPEN: PolicyView = { kind: 'unannotated', allowed: true };
const CLOSED: PolicyView = { kind: 'unannotated', allowed: false };
const ANY = requirementOf({});
const admin = requirementOf({ roles: { anyOf: ['admin'] } });
const staff = requirementOf({ roles: { anyOf: ['admin', 'staff'] } });

const caller = (roles: string[], permissions: string[] = []): PossibleCaller => ({
  roles,
  permissions,
});

describe('who gains access', () => {
  it.each<[string, PolicyView | undefined, PolicyView | undefined, PossibleCaller[]]>([
    ['nobody, when nothing changes', admin, admin, []],
    ['a role that is added', admin, staff, [caller(['staff'])]],
    ['nobody, when a role is taken away', staff, admin, []],
    ['everybody, when a method becomes public', admin, PUBLIC, [null, caller([])]],
    ['the anonymous, when any caller becomes everybody', ANY, OPEN, [null]],
    ['nobody, when a public method loses its policy', PUBLIC, OPEN, []],
    ['nobody, when a method is closed', admin, CLOSED, []],
    ['who is let in, when a method was closed', CLOSED, admin, [caller(['admin'])]],
    ['who is let in, by a new method', undefined, staff, [caller(['admin']), caller(['staff'])]],
    ['nobody, by a method that is gone', staff, undefined, []],
    [
      'the suspended, when they are no longer kept out',
      requirementOf({ roles: { noneOf: ['suspended'] } }),
      ANY,
      [caller(['suspended'])],
    ],
    [
      'who has one of two permissions that both were asked',
      requirementOf({ permissions: { allOf: ['r', 'w'] } }),
      requirementOf({ permissions: { anyOf: ['r', 'w'] } }),
      [caller([], ['w']), caller([], ['r'])],
    ],
    [
      'who has the role without the permission that went',
      requirementOf({ roles: { anyOf: ['admin'] }, permissions: { allOf: ['w'] } }),
      admin,
      [caller(['admin'])],
    ],
    [
      'any caller, without naming those again who have more',
      requirementOf({ roles: { anyOf: ['admin'], noneOf: ['suspended'] } }),
      ANY,
      [caller([])],
    ],
  ])('%s', (_who, before, after, callers) => {
    expect(gained(before, after)).toEqual(callers);
  });

  const values = (names: string[]) => fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });
  const rule = (names: string[]) =>
    fc.record({ anyOf: values(names), allOf: values(names), noneOf: values(names) });
  const policy = fc.oneof(
    fc.constantFrom<PolicyView | undefined>(PUBLIC, OPEN, CLOSED, undefined),
    fc.record({ roles: rule(['a', 'b', 'c']), permissions: rule(['x', 'y']) }).map(requirementOf),
  );
  const EVERYBODY = subsets(['a', 'b', 'c']).flatMap((roles) =>
    subsets(['x', 'y']).map((permissions) => ({ roles, permissions })),
  );

  it('lists exactly the callers that pass after a change and did not before, for all policies', () => {
    fc.assert(
      fc.property(policy, policy, (before, after) => {
        const examples = gained(before, after);
        const winners = [null, ...EVERYBODY].filter(
          (who) => passes(after, who) && !passes(before, who),
        );
        for (const example of examples) expect(winners).toContainEqual(example);
        for (const winner of winners) {
          expect(examples.some((example) => covers(example, winner))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

function subsets(values: readonly string[]): string[][] {
  return values.reduce<string[][]>(
    (all, value) => [...all, ...all.map((some) => [...some, value])],
    [[]],
  );
}

function passes(policy: PolicyView | undefined, who: PossibleCaller): boolean {
  if (policy === undefined) return false;
  if (policy.kind === 'public') return true;
  if (policy.kind === 'unannotated') return policy.allowed;
  return who !== null && compileRequirement(policy)(who) === undefined;
}

function covers(example: PossibleCaller, who: PossibleCaller): boolean {
  if (example === null || who === null) return example === who;
  return (
    example.roles.every((role) => who.roles.includes(role)) &&
    example.permissions.every((permission) => who.permissions.includes(permission))
  );
}
