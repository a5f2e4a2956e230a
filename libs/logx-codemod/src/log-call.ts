import { ts } from './npm-install/typescript.js';
import { visit } from './app-file.js';
import { type CodeStyle, quoted } from './code-style.js';
import type { Edit } from './edit.js';
import { isErrorLike } from './error-like.js';
import type { LeftOver } from './left-over.js';
import { messageTemplate } from './message-template.js';

/** The result for a call of a logger. */
export interface CallChange {
  readonly edits: readonly Edit[];
  readonly leftOvers: readonly LeftOver[];
}

const UNCHANGED: CallChange = { edits: [], leftOvers: [] };

/** The arguments of `info`, `error` and so on: `%s` and template literals become holes with names. */
export function changedCall(call: ts.CallExpression, method: string, style: CodeStyle): CallChange {
  const args = [...call.arguments];
  const at = messageAt(args);
  const message = args[at];
  if (message === undefined || args.slice(0, at).some((it) => ts.isSpreadElement(it))) {
    return UNCHANGED;
  }
  const values = args.slice(at + 1);
  const isErrorFirst = at === 0 && /^(?:error|fatal)$/.test(method);
  if (values.some((it) => ts.isSpreadElement(it))) {
    const isPlain = ts.isStringLiteralLike(message) && !/[%{}]/.test(message.text);
    if (isPlain && !isErrorFirst) return UNCHANGED;
    return left(message, 'values that are spread', 'write each of them, and a hole for it');
  }
  const template = messageTemplate(message, values);
  if (template === undefined) {
    return left(message, 'a text with %s that has fewer values than it names', 'write a template');
  }
  const { text, args: filled, holes } = template;
  if (isErrorFirst && holes < filled.length && !isErrorOrFields(filled.slice(holes))) {
    return holes === 0
      ? withFields(call, message, values)
      : left(
          message,
          'an error text with more values than it has places for',
          'write a template with a hole for each value',
        );
  }
  const isSame = ts.isStringLiteralLike(message) && holes === 0 && !mustEscape(text, values);
  if (isSame) return UNCHANGED;
  if (usesItself(call, args)) {
    return left(message, 'a use of the logger among its own values', 'move it out of the call');
  }
  const last = args.at(-1)!;
  if (hasComment(call.getSourceFile(), message, args)) {
    return left(message, 'a comment among the arguments', 'write a template with named holes');
  }
  const put = [quoted(text, style), ...filled.map((it) => it.getText())].join(', ');
  return { edits: [{ start: message.getStart(), end: last.end, text: put }], leftOvers: [] };
}

/** `write`, which does not end the process, for a `fatal` that did not; undefined where its form is unknown. */
// Why: docs/decisions/0212
export function fatalCall(
  call: ts.CallExpression,
  level: string,
  style: Pick<CodeStyle, 'quote'>,
): string | undefined {
  const args = [...call.arguments];
  const [first] = args;
  if (first === undefined || args.some((it) => ts.isSpreadElement(it))) return undefined;
  if (usesItself(call, args)) return undefined;
  const at = messageAt(args);
  const said = args[at];
  const parts = [`level: ${level}.Fatal`];
  if (at !== 0) {
    const found = ts.isObjectLiteralExpression(first) ? fieldsOf(first) : errorOf(first);
    if (found === undefined) return undefined;
    parts.push(...found);
  }
  if (said !== undefined) {
    const template = messageTemplate(said, args.slice(at + 1));
    if (template === undefined) return undefined;
    const { text, args: filled } = template;
    parts.push(`template: ${quoted(text, style)}`);
    if (filled.length > 0) parts.push(`args: [${filled.map((it) => it.getText()).join(', ')}]`);
  }
  return `({ ${parts.join(', ')} })`;
}

/** Whether the logger is used in the arguments of the call: both changes would be at one place. */
function usesItself({ expression }: ts.CallExpression, args: readonly ts.Expression[]): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const logger = expression.expression.getText();
  return args.some((arg) => {
    let found = false;
    visit(arg, (node) => {
      found ||= ts.isPropertyAccessExpression(node) && node.expression.getText() === logger;
    });
    return found;
  });
}

/** The position of the text: first, or after an object or an error. */
function messageAt(args: readonly ts.Expression[]): number {
  const [first, second] = args;
  if (first !== undefined && isText(first)) return 0;
  return second !== undefined && isText(second) ? 1 : args.length;
}

function isText(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** Whether braces of a text must be escaped: if they are doubled, or if values could fill them. */
function mustEscape(escaped: string, values: readonly ts.Expression[]): boolean {
  return /\{{4}|\}{4}/.test(escaped) || (values.length > 0 && /[{}]/.test(escaped));
}

/** Whether values after those of the holes are an error, fields or both, which are no texts. */
function isErrorOrFields(values: readonly ts.Expression[]): boolean {
  const others = values.filter((it) => !ts.isObjectLiteralExpression(it));
  const objects = values.length - others.length;
  return objects <= 1 && others.length <= 1 && others.every(isErrorLike);
}

/** Converts values that pino ignores to fields before the text: two texts would be an error and a template here. */
function withFields(
  call: ts.CallExpression,
  message: ts.Expression,
  values: readonly ts.Expression[],
): CallChange {
  const names = values.map((value) => (ts.isIdentifier(value) ? value.text : undefined));
  if (names.includes(undefined) || hasComment(call.getSourceFile(), message, call.arguments)) {
    return left(
      message,
      'an error text with a value that it has no place for',
      'write a hole for the value; where it is a text, it would be taken as the message here',
    );
  }
  const text = `{ ${names.join(', ')} }, ${message.getText()}`;
  return {
    edits: [{ start: message.getStart(), end: values.at(-1)!.end, text }],
    leftOvers: [],
  };
}

function errorOf(node: ts.Expression): string[] | undefined {
  return isErrorLike(node) ? [`error: ${node.getText()}`] : undefined;
}

function fieldsOf(node: ts.ObjectLiteralExpression): string[] | undefined {
  let error: string | undefined;
  const fields: string[] = [];
  for (const member of node.properties) {
    if (ts.isSpreadAssignment(member)) return undefined;
    const name = member.name?.getText();
    if (name !== 'err') fields.push(member.getText());
    else if (ts.isPropertyAssignment(member)) error = member.initializer.getText();
    else if (ts.isShorthandPropertyAssignment(member)) error = name;
    else return undefined;
  }
  return [
    ...(error === undefined ? [] : [`error: ${error}`]),
    ...(fields.length === 0 ? [] : [`fields: { ${fields.join(', ')} }`]),
  ];
}

/** A comment between the text and the last value would be lost. */
function hasComment(
  source: ts.SourceFile,
  message: ts.Expression,
  args: readonly ts.Expression[],
): boolean {
  let from = message.end;
  return args.slice(args.indexOf(message) + 1).some((next) => {
    const between = source.text.slice(from, next.getStart());
    from = next.end;
    return /\/[/*]/.test(between);
  });
}

function left(node: ts.Node, what: string, remedy: string): CallChange {
  const row = "`info('refund of %s', order)`";
  return { edits: [], leftOvers: [{ position: node.getStart(), what, remedy, row }] };
}
