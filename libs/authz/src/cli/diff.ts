import type { Authorizer } from '../decide/authorizer.js';
import { coversMethod } from '../policy/exemptions.js';
import { readCases } from './cases.js';
import {
  FORMATS,
  type CommandAids,
  type CommandIo,
  type CommandOutcome,
  UsageError,
  argumentsOf,
  authorizerOf,
  oneOf,
} from './command.js';
import { caseChanges } from './diff-cases.js';
import { type MethodChange, changesBetween } from './policy-changes.js';
import { markdownTable } from './report.js';

/** Tables of cases are read from files. */
type DiffIo = CommandAids & Partial<Pick<CommandIo, 'read'>>;

/** `apix-authz diff`: who gained and who lost access between two descriptor sets, also on the cases of tables. */
export function diff(args: readonly string[], io: DiffIo = {}): CommandOutcome {
  const { values, positionals } = argumentsOf(args, {
    'fail-on': { type: 'string' },
    format: { type: 'string' },
    cases: { type: 'string', multiple: true },
  });
  const format = oneOf('--format', FORMATS, values.format);
  const failOn = oneOf('--fail-on', ['never', 'gained', 'lost', 'any'], values['fail-on']);
  const [from, to, ...rest] = positionals;
  if (from === undefined || to === undefined || rest.length > 0) {
    throw new UsageError('needs two descriptor sets, the old one and the new one');
  }
  const versions = { before: authorizerAt(from, io, values), after: authorizerAt(to, io, values) };
  const files = values.cases ?? [];
  const cases = files.flatMap((file) =>
    caseChanges(versions, file, readCases(file, io.read?.(file) ?? '')),
  );
  const changes = [
    ...changesBetween(versions.before, versions.after),
    ...cases.filter(({ gained: more, lost: fewer }) => more.length + fewer.length > 0),
  ];
  const bad = changes.some(
    (change) =>
      (['gained', 'any'].includes(failOn) && change.gained.length > 0) ||
      (['lost', 'any'].includes(failOn) && change.lost.length > 0),
  );
  const changed = changes.filter((change) => change.case !== undefined).length;
  const summary =
    files.length === 0 || format === 'json'
      ? ''
      : `\n${cases.length} ${cases.length === 1 ? 'case' : 'cases'} of ${files.join(', ')}: ${changed === 0 ? 'none' : changed} changed\n`;
  return { text: TEXT[format](changes) + summary, code: bad ? 1 : 0 };
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

const TEXT = {
  json: (changes: readonly MethodChange[]) => `${JSON.stringify(changes, null, 2)}\n`,
  markdown: (changes: readonly MethodChange[]) =>
    changes.length === 0
      ? 'No policy changed.\n'
      : markdownTable(
          ['method', 'before', 'after', 'gained access', 'lost access'],
          changes.map(({ before, after, gained: more, lost: fewer, ...what }) => [
            titleOf(what),
            before ?? 'new',
            after ?? 'removed',
            more.join('; '),
            fewer.join('; '),
          ]),
        ),
  text: (changes: readonly MethodChange[]) =>
    changes.length === 0 ? 'no policy changed\n' : changes.map(changeText).join('\n'),
} as const;

function changeText({ before, after, gained: more, lost: fewer, ...what }: MethodChange): string {
  const lines = [
    titleOf(what),
    `  before  ${before ?? '(new)'}`,
    `  after   ${after ?? '(removed)'}`,
    ...more.map((caller) => `  gained  ${caller}`),
    ...fewer.map((caller) => `  lost    ${caller}`),
  ];
  return `${lines.join('\n')}\n`;
}

function titleOf({ method, case: place }: Pick<MethodChange, 'method' | 'case'>): string {
  return place === undefined ? method : `${method} (${place})`;
}
