import type { Redactor } from '../event/field-reader.js';
import { fieldName } from '../event/reserved.js';
import { type FieldValue, isBytes } from '../value/field-value.js';
import { fieldValueOf } from '../value/field-value-of.js';
import { safely } from '../value/safely.js';
import type { ResolvedLimits } from '../value/value-limits.js';
import { parseRedactPath, type RedactStep } from './redact-path.js';
import type { Censor, RedactOptions } from './redact-options.js';

const CENSOR = '[Redacted]';

/** The paths as a tree: what lies below the members that were walked so far. */
interface RedactBranch {
  isHidden: boolean;
  readonly members: Map<string, RedactBranch>;
  any: RedactBranch | undefined;
}

/** @throws RangeError for a path that cannot be read. */
export function redactorOf(
  redact: readonly string[] | RedactOptions,
  limits: ResolvedLimits,
): Redactor {
  const options = 'paths' in redact ? redact : { paths: redact };
  const { censor = CENSOR, remove = false } = options;
  const root = newBranch();
  for (const path of options.paths) {
    const steps = parseRedactPath(path);
    grow(root, steps);
    // A field's name may have dots in it: a.b.c is also the c of a field a.b.
    for (let end = 2; end <= steps.length && steps[end - 1] !== null; end++) {
      if (steps[0] === null) break;
      grow(root, [fieldName(steps.slice(0, end).join('.')), ...steps.slice(end)]);
    }
  }
  const hide = remove
    ? () => undefined
    : (value: FieldValue, path: readonly string[]) => censored(censor, value, path, limits);
  return (field, value) => {
    const branches = below([root], field);
    return branches.length === 0 ? value : walk(value, branches, [field], hide);
  };
}

type Hide = (value: FieldValue, path: readonly string[]) => FieldValue | undefined;

function newBranch(): RedactBranch {
  return { isHidden: false, members: new Map(), any: undefined };
}

function grow(root: RedactBranch, steps: readonly RedactStep[]): void {
  let at = root;
  for (const step of steps) {
    if (step === null) {
      at = at.any ??= newBranch();
    } else {
      const next = at.members.get(step) ?? newBranch();
      at.members.set(step, next);
      at = next;
    }
  }
  at.isHidden = true;
}

function below(branches: readonly RedactBranch[], name: string): RedactBranch[] {
  return branches.flatMap(({ members, any }) => {
    const member = members.get(name);
    return [...(member ? [member] : []), ...(any ? [any] : [])];
  });
}

/** The value with its hidden parts replaced; values are never changed in place. */
function walk(
  value: FieldValue,
  branches: readonly RedactBranch[],
  path: readonly string[],
  hide: Hide,
): FieldValue | undefined {
  if (branches.some(({ isHidden }) => isHidden)) return hide(value, path);
  if (typeof value !== 'object' || value === null || isBytes(value)) return value;
  const walkMember = (member: FieldValue, name: string): FieldValue | undefined => {
    const next = below(branches, name);
    return next.length === 0 ? member : walk(member, next, [...path, name], hide);
  };
  if (Array.isArray(value)) {
    return value.map((item: FieldValue, i) => walkMember(item, String(i)) ?? null);
  }
  const members = Object.create(null) as Record<string, FieldValue>;
  for (const [name, member] of Object.entries(value as Readonly<Record<string, FieldValue>>)) {
    const shown = walkMember(member, name);
    if (shown !== undefined) members[name] = shown;
  }
  return members;
}

function censored(
  censor: Censor,
  value: FieldValue,
  path: readonly string[],
  limits: ResolvedLimits,
): FieldValue | undefined {
  const shown = safely<unknown, string>(
    () => (typeof censor === 'function' ? censor(value, [...path]) : censor),
    () => CENSOR,
  );
  return shown === undefined ? undefined : fieldValueOf(shown, limits);
}
