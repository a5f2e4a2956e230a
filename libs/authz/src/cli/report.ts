import type { ConditionMeaning } from '../conditions/method-conditions.js';
import type { Authorizer } from '../decide/authorizer.js';
import { nameOfField } from '../fields/field-visibility.js';
import { audienceText, policyText } from '../report/policy-texts.js';
import {
  FORMATS,
  type CommandAids,
  type CommandOutcome,
  argumentsOf,
  authorizerOf,
  oneOf,
} from './command.js';

/** Rows under a head, in columns as wide as they must be. */
function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map((cells) => `${line(cells)}\n`).join('');
}

/** The same for a page in Markdown. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

/** `apix-authz report`: every method and who may call it. */
export function report(args: readonly string[], io: CommandAids = {}): CommandOutcome {
  const { values, positionals } = argumentsOf(args, { format: { type: 'string' } });
  const format = oneOf('--format', FORMATS, values.format);
  const authorizer = authorizerOf(positionals, io, values);
  if (format === 'json') {
    const methods = authorizer.methods.names().map((method) => ({
      method,
      policy: authorizer.policyOf(method),
      exempt: authorizer.methods.exemptions.has(method),
      conditions: conditionsIn(authorizer, method),
      lists: authorizer.methods.listsOf(method),
    }));
    const fields = authorizer.fields.all.map(({ field, requirement }) => ({
      field: nameOfField(field),
      policy: requirement,
    }));
    return { text: `${JSON.stringify([...methods, ...fields], null, 2)}\n`, code: 0 };
  }
  const table = format === 'markdown' ? markdownTable : textTable;
  const rows = authorizer.methods.names().map((method) => [method, policyText(authorizer, method)]);
  const methods = table(['method', 'who may call it'], rows);
  const fields = authorizer.fields.all.map(({ field }) => {
    const name = nameOfField(field);
    return [name, audienceText(authorizer, name)];
  });
  if (fields.length === 0) return { text: methods, code: 0 };
  return { text: `${methods}\n${table(['field', 'who sees it'], fields)}`, code: 0 };
}

/** Undefined: there are none. */
function conditionsIn(
  { methods }: Authorizer,
  method: string,
): readonly ConditionMeaning[] | undefined {
  const conditions = methods.conditionsOf(method);
  return conditions.length === 0 ? undefined : conditions;
}
