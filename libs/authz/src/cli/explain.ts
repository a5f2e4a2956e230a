import { shownValue, thrownText } from '@apix/contracts';
import { nearestName, readJsonText } from '@apix/contracts/internal';
import type { Subject } from '../subject/subject.js';
import {
  type CommandAids,
  type CommandOutcome,
  UsageError,
  argumentsOf,
  authorizerOf,
} from './command.js';
import { givenAnswer, givenRecord } from './given-record.js';
import {
  type FindingLine,
  describeCaller,
  findingLines,
  verdictText,
} from '../report/explanation-lines.js';
import { policyText } from '../report/policy-texts.js';

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
  const authorizer = authorizerOf(positionals.slice(0, -1), io, values);
  const method = knownMethod(positionals.at(-1) ?? '', authorizer.methods.names());
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
  const hint = explanation.reason === 'no_request' ? '; give --request, and --resource' : '';
  const lines = [
    `${method}: ${policyText(authorizer, method)}`,
    `${describeCaller(caller)}: ${verdictText(explanation)}${hint}`,
    ...findingLines(explanation, fields).map(lineOf),
  ];
  const passes = explanation.allowed && explanation.list?.shows !== false;
  return { text: `${lines.join('\n')}\n`, code: passes ? 0 : 1 };
}

/** The method of this name, which may be written without the slash at its start, as gRPC clients do. */
function knownMethod(given: string, methods: readonly string[]): string {
  const method = given.startsWith('/') ? given : `/${given}`;
  if (methods.includes(method)) return method;
  const nearest = nearestName(method, methods);
  const hint =
    nearest === undefined ? 'the command report lists all of them' : `did you mean ${nearest}?`;
  throw new UsageError(`the descriptors have no method ${shownValue(given)}; ${hint}`);
}

function lineOf({ passes, text }: FindingLine): string {
  const hint = passes === undefined ? '; give --answer' : '';
  return `  ${passes === true ? '+' : '-'} ${text}${hint}`;
}

function jsonOption(option: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return readJsonText(text).value;
  } catch (error) {
    throw new UsageError(`${option}: ${thrownText(error)}`, { cause: error });
  }
}

/** Values of a command line option: split at commas. */
function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
