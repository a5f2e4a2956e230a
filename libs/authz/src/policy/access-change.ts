import type { PolicyView, RuleView } from '@apix/contracts';
import type { Subject } from '../subject/subject.js';

/** Null: an anonymous caller. */
export type PossibleCaller = Pick<Subject, 'roles' | 'permissions'> | null;

/** Undefined: the method does not exist. */
type Access = PolicyView | undefined;

const AXES = ['roles', 'permissions'] as const;
type Axis = (typeof AXES)[number];

/** The conditions on a caller's values on one axis. */
interface Constraint {
  readonly has: readonly string[];
  readonly lacks: readonly string[];
  /** At least one of these; undefined asks nothing. */
  readonly hasOneOf?: readonly string[] | undefined;
}

type Constraints = Readonly<Record<Axis, Constraint>>;

const FREE: Constraint = { has: [], lacks: [] };
const ANYBODY: Constraints = { roles: FREE, permissions: FREE };

/**
 * The callers that `after` lets in and `before` does not, as the smallest examples: every caller that
 * gained access has at least the values of one of them. Empty: no one gained access. Swap the arguments to
 * find who lost it.
 */
export function gained(before: Access, after: Access): PossibleCaller[] {
  const wanted = passing(after);
  if (wanted === undefined) return [];
  const examples = failing(before).flatMap(({ axis, constraint }) =>
    examplesOf({ ...wanted, [axis]: both(wanted[axis], constraint) }),
  );
  const authenticated = smallest(examples);
  return isOpen(after) && !isOpen(before) ? [null, ...authenticated] : authenticated;
}

function isOpen(access: Access): boolean {
  return access?.kind === 'public' || (access?.kind === 'unannotated' && access.allowed);
}

/** The conditions for an authenticated caller to pass; undefined: no caller can. */
function passing(access: Access): Constraints | undefined {
  if (access === undefined) return undefined;
  if (access.kind !== 'protected') return isOpen(access) ? ANYBODY : undefined;
  const constraint = (rule: RuleView | undefined): Constraint =>
    rule === undefined
      ? FREE
      : {
          has: rule.allOf,
          lacks: rule.noneOf,
          hasOneOf: rule.anyOf.length > 0 ? rule.anyOf : undefined,
        };
  return { roles: constraint(access.roles), permissions: constraint(access.permissions) };
}

interface FailingCase {
  readonly axis: Axis;
  readonly constraint: Constraint;
}

/** Each way in which an authenticated caller does not pass. */
function failing(access: Access): FailingCase[] {
  if (isOpen(access)) return [];
  if (access?.kind !== 'protected') return [{ axis: 'roles', constraint: FREE }];
  return AXES.flatMap((axis) => {
    const rule = access[axis];
    return rule === undefined ? [] : brokenBy(rule).map((constraint) => ({ axis, constraint }));
  });
}

function brokenBy({ anyOf, allOf, noneOf }: RuleView): Constraint[] {
  return [
    ...(anyOf.length > 0 ? [{ has: [], lacks: anyOf }] : []),
    ...allOf.map((value) => ({ has: [], lacks: [value] })),
    ...noneOf.map((value) => ({ has: [value], lacks: [] })),
  ];
}

function both(one: Constraint, other: Constraint): Constraint {
  return {
    has: [...one.has, ...other.has],
    lacks: [...one.lacks, ...other.lacks],
    hasOneOf: one.hasOneOf,
  };
}

function examplesOf({ roles, permissions }: Constraints): NonNullable<PossibleCaller>[] {
  return valuesOf(roles).flatMap((some) =>
    valuesOf(permissions).map((others) => ({ roles: some, permissions: others })),
  );
}

/** The smallest sets of values that a constraint allows. */
function valuesOf({ has, lacks, hasOneOf }: Constraint): string[][] {
  const least = [...new Set(has)].toSorted();
  if (least.some((value) => lacks.includes(value))) return [];
  if (hasOneOf === undefined || hasOneOf.some((value) => least.includes(value))) return [least];
  return hasOneOf
    .filter((value) => !lacks.includes(value))
    .map((value) => [...least, value].toSorted());
}

/** Without those that have all the values of another one, and more. */
function smallest(callers: readonly NonNullable<PossibleCaller>[]): NonNullable<PossibleCaller>[] {
  const distinct = [...new Map(callers.map((caller) => [JSON.stringify(caller), caller])).values()];
  return distinct.filter(
    (caller) => !distinct.some((other) => other !== caller && isWithin(other, caller)),
  );
}

function isWithin(small: NonNullable<PossibleCaller>, large: NonNullable<PossibleCaller>): boolean {
  return AXES.every((axis) => small[axis].every((value) => large[axis].includes(value)));
}
