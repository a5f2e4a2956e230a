import { shownValue, thrownText } from '@apix/contracts';
import { readJsonText } from '@apix/contracts/internal';
import type { Explanation, ListFinding } from '../decide/admission.js';
import { describeCondition } from '../decide/condition-findings.js';
import { describeField } from '../fields/field-findings.js';
import { describeFinding } from '../policy/explain.js';
import type { Subject } from '../subject/subject.js';
import {
  type CommandAids,
  type CommandOutcome,
  UsageError,
  argumentsOf,
  authorizerOf,
} from './command.js';
import { givenAnswer, givenRecord } from './given-record.js';
import { policyText } from './report.js';

/** `apix-authz explain`: what a method requires, and whether a caller meets it. */
export function explain(args: readonly string[], io: CommandAids = {}): CommandOutcome {
  const { values, positionals } = argumentsOf(args, {
    roles: { type: 'string' },
    permissions: { type: 'string' },
    id: { type: 'string' },
    request: { type: 'string' },
    resource: { type: 'string' },
    listed: { type: 'string' },
    answer: { type: 'string' },
  });
  const method = positionals.at(-1) ?? '';
  const authorizer = authorizerOf(positionals.slice(0, -1), io, values);
  if (!authorizer.methods.has(method)) {
    throw new UsageError(
      `the descriptors have no method ${shownValue(method)}; the command report lists all of them`,
    );
  }
  const { roles, permissions, id, request, resource, listed } = values;
  const anonymous = roles === undefined && permissions === undefined && id === undefined;
  const caller: Subject | null = anonymous
    ? null
    : { roles: listOf(roles), permissions: listOf(permissions), ...(id !== undefined && { id }) };
  const record = givenRecord(authorizer, method, {
    request: jsonOption('--request', request),
    resource: jsonOption('--resource', resource),
    listed: jsonOption('--listed', listed),
  });
  const explanation = authorizer.explain(method, caller, record);
  const answer = jsonOption('--answer', values.answer);
  const fields = authorizer.fields.explain(method, caller, givenAnswer(authorizer, method, answer));
  const lines = [
    `${method}: ${policyText(authorizer, method)}`,
    `${describeCaller(caller)}: ${verdict(explanation)}`,
    ...explanation.findings.map(
      (finding) => `  ${finding.passed ? '+' : '-'} ${describeFinding(finding)}`,
    ),
    ...explanation.conditions.map(
      (finding) => `  ${finding.met ? '+' : '-'} ${describeCondition(finding)}`,
    ),
    ...(explanation.list === undefined ? [] : listLines(explanation.list)),
    ...fields.map((finding) => `  ${finding.shown === true ? '+' : '-'} ${describeField(finding)}`),
  ];
  const passes = explanation.allowed && explanation.list?.shows !== false;
  return { text: `${lines.join('\n')}\n`, code: passes ? 0 : 1 };
}

function listLines({ type, filter, shows }: ListFinding): string[] {
  const lists = `  + lists ${type} where ${filter}`;
  if (shows === undefined) return [lists];
  return [lists, shows ? '  + shows the record' : '  - does not show the record'];
}

function jsonOption(option: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return readJsonText(text).value;
  } catch (error) {
    throw new UsageError(`${option}: ${thrownText(error)}`, { cause: error });
  }
}

/** Whether a caller gets in, and the status that it gets if not. */
function verdict({ allowed, reason }: Explanation): string {
  if (allowed) return 'allowed';
  if (reason === 'no_request') return 'depends on the request; give --request, and --resource';
  return reason === 'anonymous' ? 'denied, UNAUTHENTICATED' : 'denied, PERMISSION_DENIED';
}

/** A caller in one line. */
export function describeCaller(caller: Subject | null): string {
  if (caller === null) return 'an anonymous caller';
  const lists = [
    ['roles', caller.roles],
    ['permissions', caller.permissions],
  ] as const;
  const held = lists
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name} ${values.join(', ')}`);
  return held.length === 0 ? 'any authenticated caller' : held.join(' with ');
}

/** Values of a command line option: split at commas. */
function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
