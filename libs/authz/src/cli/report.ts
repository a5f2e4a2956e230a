import type { Authorizer } from '../decide/authorizer.js';
import { FORMATS, type CommandOutcome, argumentsOf, authorizerOf, oneOf } from './command.js';
import { describePolicy } from './describe-policy.js';
import { markdownTable, textTable } from './table.js';

/** `apix-authz report`: every method and who may call it. */
export function report(args: readonly string[]): CommandOutcome {
  const { values, positionals } = argumentsOf(args, { format: { type: 'string' } });
  const format = oneOf('--format', FORMATS, values.format);
  const authorizer = authorizerOf(positionals, values);
  if (format === 'json') {
    const methods = authorizer.methodNames().map((method) => ({
      method,
      policy: authorizer.policyOf(method),
      exempt: authorizer.isExempt(method),
    }));
    return { text: `${JSON.stringify(methods, null, 2)}\n`, code: 0 };
  }
  const table = format === 'markdown' ? markdownTable : textTable;
  const rows = authorizer.methodNames().map((method) => [method, policyText(authorizer, method)]);
  return { text: table(['method', 'who may call it'], rows), code: 0 };
}

/** The policy of a method in words, with what exempts it. */
export function policyText(authorizer: Authorizer, method: string): string {
  const policy = authorizer.policyOf(method)!;
  const exempt = policy.kind === 'unannotated' && authorizer.isExempt(method);
  return exempt ? 'no policy: exempt' : describePolicy(policy);
}
