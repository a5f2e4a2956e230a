import { thrownText } from '@apix/contracts';
import type { Authorizer } from '../decide/authorizer.js';
import {
  type CommandIo,
  type CommandOutcome,
  UsageError,
  argumentsOf,
  authorizerOf,
} from './command.js';
import { diff } from './diff.js';
import { explain } from './explain.js';
import { report } from './report.js';
import { readCases } from './cases.js';
import { checkCases } from './check-cases.js';

const COMMANDS = { report, check, diff, explain } as const;

const USAGE = `apix-authz <command> [options]

Reads the policies in descriptor sets (FileDescriptorSet, as buf and protoc write them).

  report <set>...              every method and who may call it, every field that not all see
    --format <f>               text, markdown or json; default: text
  check <set>...               exits with 0 without findings, else with 1: for CI
    --deny-unannotated         a method without a policy is a finding
    --cases <file>             a table of who may call what, YAML or JSON; may be repeated
  diff <old> <new>             who gained and who lost access
    --cases <file>             a table as above: also which of its callers gain or lose on each case
    --fail-on <what>           exit with 1 on gained, lost or any; default: never
    --format <f>               text, markdown or json; default: text
  explain <set>... <method>    what /pkg.Service/Method requires, and whether a caller meets it;
                               exits with 0 if allowed, with 1 if denied
    --roles <a,b>              what the caller has; without both it is anonymous
    --permissions <a,b>
    --id <id>                  its id, for conditions
    --request <json>           the request and the record that conditions read, in JSON
    --resource <json>
    --listed <json>            a record: whether the list shows it to the caller
    --answer <json>            an answer, for conditions of its fields

For all of them:
  --unannotated <allow|deny>   how the app treats methods without a policy; default: allow
  --exempt <method>            as the app's option; may be repeated
  -h, --help

A mistake in the arguments, the files or the policies exits with 2.
`;

/** Runs `apix-authz` and returns its exit code. */
export function authzCommand(args: readonly string[], io: CommandIo): number {
  const [name = '', ...rest] = args;
  try {
    if (args.some((arg) => arg === '--help' || arg === '-h')) {
      io.print(USAGE);
      return 0;
    }
    const { text, code }: CommandOutcome = commandOf(name)(rest, io);
    io.print(text);
    return code;
  } catch (error) {
    io.complain(`apix-authz${name && ` ${name}`}: ${thrownText(error)}\n`);
    return 2;
  }
}

function commandOf(name: string): (typeof COMMANDS)[keyof typeof COMMANDS] {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name as keyof typeof COMMANDS];
  const known = Object.keys(COMMANDS).join(', ');
  throw new UsageError(`the command must be one of ${known}; see --help`);
}

/** `apix-authz check`: what CI asks. Policies that are wrong in themselves are exit code 2. */
function check(args: readonly string[], io: CommandIo): CommandOutcome {
  const { values, positionals } = argumentsOf(args, {
    'deny-unannotated': { type: 'boolean' },
    cases: { type: 'string', multiple: true },
  });
  const authorizer = authorizerOf(positionals, io, values);
  const findings: string[] = [];
  const done = [`${authorizer.methods.names().length} methods`];
  if (values['deny-unannotated'] === true) findings.push(...withoutPolicy(authorizer));
  for (const file of values.cases ?? []) {
    const { count, failures } = checkCases(authorizer, readCases(file, io.read(file)));
    done.push(`${count} cases of ${file}`);
    findings.push(...failures.map((failure) => `${file}: ${failure}`));
  }
  const summary = `${done.join(', ')}: ${countOf(findings)}`;
  return {
    text: [...findings, summary].map((line) => `${line}\n`).join(''),
    code: findings.length === 0 ? 0 : 1,
  };
}

function withoutPolicy(authorizer: Authorizer): string[] {
  return authorizer.methods
    .unannotated()
    .filter((method) => !authorizer.methods.exemptions.has(method))
    .map((method) => `${method} has no policy; add one to it or to its service, or exempt it`);
}

function countOf({ length }: readonly string[]): string {
  if (length === 0) return 'no findings';
  return length === 1 ? '1 finding' : `${length} findings`;
}
