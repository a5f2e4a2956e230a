import { fieldName } from '../event/reserved.js';
import { ANY_DEPTH, parseRedactPath, type RedactStep } from './redact-path.js';

/** The paths as a tree: the remaining steps below the members that were visited so far. */
export interface RedactBranch {
  isHidden: boolean;
  readonly members: Map<string, RedactBranch>;
  any: RedactBranch | undefined;
  /** Below any number of members. */
  deep: RedactBranch | undefined;
  /** Whether it is such a branch, and also applies below each member. */
  readonly stays: boolean;
}

/** @throws RangeError for a path that cannot be read. */
export function pathTree(paths: readonly string[]): RedactBranch {
  const root = newBranch(false);
  for (const path of paths) {
    const steps = parseRedactPath(path);
    grow(root, steps);
    // A field's name may have dots in it: a.b.c is also the c of a field a.b.
    for (let end = 2; end <= steps.length; end++) {
      const names = steps.slice(0, end).filter((step) => typeof step === 'string');
      if (names.length < end) break;
      grow(root, [fieldName(names.join('.')), ...steps.slice(end)]);
    }
  }
  return root;
}

/** The branches for a member, by those of the value that it belongs to. */
export function below(branches: readonly RedactBranch[], name: string): readonly RedactBranch[] {
  if (branches.length === 0) return branches;
  const found: RedactBranch[] = [];
  for (const branch of branches) collect(branch, name, found);
  return found;
}

function collect(branch: RedactBranch, name: string, found: RedactBranch[]): void {
  const member = branch.members.get(name);
  if (member !== undefined) found.push(member);
  if (branch.any !== undefined) found.push(branch.any);
  if (branch.stays) found.push(branch);
  if (branch.deep !== undefined) collect(branch.deep, name, found);
}

function newBranch(stays: boolean): RedactBranch {
  return { isHidden: false, members: new Map(), any: undefined, deep: undefined, stays };
}

function grow(root: RedactBranch, steps: readonly RedactStep[]): void {
  let at = root;
  for (const step of steps) at = next(at, step);
  at.isHidden = true;
}

function next(branch: RedactBranch, step: RedactStep): RedactBranch {
  if (step === null) return (branch.any ??= newBranch(false));
  // Any depth below any depth is the same.
  if (step === ANY_DEPTH) return branch.stays ? branch : (branch.deep ??= newBranch(true));
  const known = branch.members.get(step) ?? newBranch(false);
  branch.members.set(step, known);
  return known;
}
