import { isDeepStrictEqual } from 'node:util';
import type { PolicyView } from '@apix/contracts';
import type { Authorizer } from '../decide/authorizer.js';
import { type PossibleCaller, gained } from '../policy/access-change.js';
import { coversMethod } from '../policy/exemptions.js';
import { nameOfField } from '../fields/field-visibility.js';
import { describeCaller } from './explain.js';
import {
  FORMATS,
  type CommandAids,
  type CommandOutcome,
  UsageError,
  argumentsOf,
  authorizerOf,
  oneOf,
} from './command.js';
import { audienceText, policyText, markdownTable } from './report.js';

/** The change of one method, or of who sees a field. */
interface MethodChange {
  readonly method: string;
  /** Null: it did not exist. */
  readonly before: string | null;
  /** Null: it is gone. */
  readonly after: string | null;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** `apix-authz diff`: who gained and who lost access between two descriptor sets. */
export function diff(args: readonly string[], io: CommandAids = {}): CommandOutcome {
  const { values, positionals } = argumentsOf(args, {
    'fail-on': { type: 'string' },
    format: { type: 'string' },
  });
  const format = oneOf('--format', FORMATS, values.format);
  const failOn = oneOf('--fail-on', ['never', 'gained', 'lost', 'any'], values['fail-on']);
  const [from, to, ...rest] = positionals;
  if (from === undefined || to === undefined || rest.length > 0) {
    throw new UsageError('needs two descriptor sets, the old one and the new one');
  }
  const changes = changesBetween(authorizerAt(from, io, values), authorizerAt(to, io, values));
  const bad = changes.some(
    (change) =>
      (['gained', 'any'].includes(failOn) && change.gained.length > 0) ||
      (['lost', 'any'].includes(failOn) && change.lost.length > 0),
  );
  return { text: TEXT[format](changes), code: bad ? 1 : 0 };
}

/** As the app would have it; a method that is exempt may be in one of the two sets only. */
function authorizerAt(
  set: string,
  io: CommandAids,
  { unannotated, exempt = [] }: { unannotated?: string; exempt?: readonly string[] },
): Authorizer {
  const how = unannotated === undefined ? {} : { unannotated };
  const names = authorizerOf([set], io, how).methods.names();
  const known = (entry: string): boolean => names.some((name) => coversMethod(entry, name));
  return authorizerOf([set], io, { ...how, exempt: exempt.filter(known) });
}

function changesBetween(before: Authorizer, after: Authorizer): MethodChange[] {
  return [...methodChanges(before, after), ...fieldChanges(before, after)];
}

/** Fields of messages that are in both sets; those of new messages come with their methods. */
function fieldChanges(before: Authorizer, after: Authorizer): MethodChange[] {
  const named = [...before.fields.all, ...after.fields.all].map(({ field }) => nameOfField(field));
  return [...new Set(named)].flatMap((field) => {
    const [old, now] = [before, after].map((each) => each.fields.audienceOf(field));
    const change: MethodChange = {
      method: field,
      before: old === undefined ? null : audienceText(before, field),
      after: now === undefined ? null : audienceText(after, field),
      gained: [...gained(old, now).map(callersLike), ...freed(old, now)],
      lost: [...gained(now, old).map(callersLike), ...freed(now, old)],
    };
    return change.before === change.after ? [] : [change];
  });
}

function methodChanges(before: Authorizer, after: Authorizer): MethodChange[] {
  const methods = [...new Set([...before.methods.names(), ...after.methods.names()])];
  return methods.flatMap((method) => {
    const [old, now] = [before.policyOf(method), after.policyOf(method)];
    const change: MethodChange = {
      method,
      before: old === undefined ? null : policyText(before, method),
      after: now === undefined ? null : policyText(after, method),
      gained: [
        ...gained(old, now).map(callersLike),
        ...freed(old, now),
        ...shown(before, after, method),
      ],
      lost: [
        ...gained(now, old).map(callersLike),
        ...freed(now, old),
        ...shown(after, before, method),
      ],
    };
    const same = change.before === change.after && change.gained.length + change.lost.length === 0;
    return same ? [] : [change];
  });
}

/** Those whom a condition of `before` refused, and none of `after` does; undefined: the method does not exist. */
function freed(before: PolicyView | undefined, after: PolicyView | undefined): string[] {
  if (before?.kind !== 'protected' || after === undefined) return [];
  const kept = after.kind === 'protected' ? (after.conditions ?? []) : [];
  if (after.kind === 'unannotated' && !after.allowed) return [];
  return (before.conditions ?? [])
    .filter(({ expression }) => !kept.some((each) => each.expression === expression))
    .map(({ id }) => `callers that the condition ${id} refused`);
}

/** Records that the list of `before` may have left out, and that of `after` may show. */
function shown(before: Authorizer, after: Authorizer, method: string): string[] {
  const lists = before.methods.listsOf(method);
  if (lists === undefined || !after.methods.has(method)) return [];
  if (isDeepStrictEqual(lists, after.methods.listsOf(method))) return [];
  return [`records of ${lists.type} that the list did not show by ${lists.where}`];
}

/** An example represents all callers that have its values. */
function callersLike(caller: PossibleCaller): string {
  return caller === null ? 'anonymous callers' : describeCaller(caller);
}

const TEXT = {
  json: (changes: readonly MethodChange[]) => `${JSON.stringify(changes, null, 2)}\n`,
  markdown: (changes: readonly MethodChange[]) =>
    changes.length === 0
      ? 'No policy changed.\n'
      : markdownTable(
          ['method', 'before', 'after', 'gained access', 'lost access'],
          changes.map(({ method, before, after, gained: more, lost: fewer }) => [
            method,
            before ?? 'new',
            after ?? 'removed',
            more.join('; '),
            fewer.join('; '),
          ]),
        ),
  text: (changes: readonly MethodChange[]) =>
    changes.length === 0 ? 'no policy changed\n' : changes.map(changeText).join('\n'),
} as const;

function changeText({ method, before, after, gained: more, lost: fewer }: MethodChange): string {
  const lines = [
    method,
    `  before  ${before ?? '(new)'}`,
    `  after   ${after ?? '(removed)'}`,
    ...more.map((caller) => `  gained  ${caller}`),
    ...fewer.map((caller) => `  lost    ${caller}`),
  ];
  return `${lines.join('\n')}\n`;
}
