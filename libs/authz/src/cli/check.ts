import type { Authorizer } from '../decide/authorizer.js';
import { type CommandIo, type CommandOutcome, argumentsOf, authorizerOf } from './command.js';
import { readCases } from './cases.js';
import { runCases } from './run-cases.js';

/** `apix-authz check`: what CI asks. Policies that are wrong in themselves are exit code 2. */
export function check(args: readonly string[], io: CommandIo): CommandOutcome {
  const { values, positionals } = argumentsOf(args, {
    'deny-unannotated': { type: 'boolean' },
    cases: { type: 'string', multiple: true },
  });
  const authorizer = authorizerOf(positionals, values);
  const findings: string[] = [];
  const done = [`${authorizer.methodNames().length} methods`];
  if (values['deny-unannotated'] === true) findings.push(...withoutPolicy(authorizer));
  for (const file of values.cases ?? []) {
    const { count, failures } = runCases(authorizer, readCases(file, io.read(file)));
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
  return authorizer
    .unannotatedMethods()
    .filter((method) => !authorizer.isExempt(method))
    .map((method) => `${method} has no policy; add one to it or to its service, or exempt it`);
}

function countOf({ length }: readonly string[]): string {
  if (length === 0) return 'no findings';
  return length === 1 ? '1 finding' : `${length} findings`;
}
