import { ts } from './npm-install/typescript.js';
import type { FileChange } from './file-change.js';
import { changedCall, fatalCall } from './log-call.js';
import { declarationOf, type LoggerBinding } from './logger-binding.js';
import type { LoggerGroup } from './logger-group.js';
import { isDecorated, isNameOfClass, type LoggerUse, roleOf } from './logger-use.js';

/** Converts a group of PinoLoggers to Loggers. */
export function changeGroup(group: LoggerGroup, change: FileChange): void {
  const roles = group.uses.map((use) => roleOf(use, group.bindings));
  for (const binding of group.bindings) {
    const contexts = roles.filter(
      (role) => role.kind === 'context' && binding.owner === ownerOf(role.statement),
    );
    const last = contexts.findLast((role) => role.kind === 'context');
    changeDeclaration(binding, last?.kind === 'context' ? last.context : undefined, change);
  }
  for (const role of roles) changeUse(role, change);
}

/** The name of a class's logger; empty for the name of the class, which is the default of `@InjectLogger`. */
export function nameOfLogger({ bindings, uses }: LoggerGroup): string {
  const context = uses
    .map((use) => roleOf(use, bindings))
    .findLast((role) => role.kind === 'context');
  const [owner] = bindings.flatMap((it) => it.owner ?? []);
  return context?.kind === 'context' && !isNameOfClass(context.context, owner)
    ? context.context.getText()
    : '';
}

function ownerOf(node: ts.Node): ts.ClassLikeDeclaration | undefined {
  return ts.findAncestor(node, ts.isClassLike);
}

function changeDeclaration(
  { node, owner }: LoggerBinding,
  context: ts.Expression | undefined,
  change: FileChange,
): void {
  const names = change.file.names.filter(({ exported }) => exported === 'PinoLogger');
  const types = names
    .flatMap(({ references }) => references)
    .filter((it) => ts.isTypeReferenceNode(it.parent) && declarationOf(it) === node);
  for (const type of types) change.rename(type, 'Logger', true);
  if (owner === undefined || ts.isVariableDeclaration(node)) return;
  const decorator = (ts.getDecorators(node) ?? []).find(({ expression }) =>
    isInjection(expression, change),
  );
  if (decorator !== undefined) {
    const call = decorator.expression as ts.CallExpression;
    const [given] = call.arguments;
    const isByName = call.expression.getText() !== 'Inject';
    const name = context ?? (isByName ? given : undefined);
    const args = name === undefined || isNameOfClass(name, owner) ? '' : name.getText();
    change.gone(call.expression, ...(isByName || given === undefined ? [] : [given]));
    change.replace(call, `${change.use('InjectLogger')}(${args})`);
  } else if (ts.isParameter(node) && isDecorated(owner)) {
    const args = context === undefined || isNameOfClass(context, owner) ? '' : context.getText();
    change.insert(node.getStart(), `@${change.use('InjectLogger')}(${args}) `);
  }
}

function isInjection(expression: ts.Expression, { file }: FileChange): boolean {
  if (!ts.isCallExpression(expression)) return false;
  const name = expression.expression.getText();
  const isNamed = (exported: string, text: string | undefined): boolean =>
    file.names.some((it) => it.exported === exported && it.local === text);
  return (
    isNamed('InjectPinoLogger', name) ||
    (name === 'Inject' && isNamed('PinoLogger', expression.arguments[0]?.getText()))
  );
}

function changeUse(role: LoggerUse, change: FileChange): void {
  const { style } = change;
  switch (role.kind) {
    case 'call': {
      const { call, method } = role;
      const callee = call.expression as ts.PropertyAccessExpression;
      const written = method === 'fatal' ? fatalCall(call, change.use('Level'), style) : undefined;
      if (written !== undefined) {
        change.edits.push({
          start: callee.name.getStart(),
          end: call.end,
          text: `write${written}`,
        });
        return;
      }
      if (method === 'trace') change.replace(callee.name, 'verbose');
      const { edits, leftOvers } = changedCall(call, method, style);
      change.edits.push(...edits);
      change.leftOvers.push(...leftOvers);
      return;
    }
    case 'method':
      if (role.name.text === 'trace') change.replace(role.name, 'verbose');
      return;
    case 'context':
      removeStatement(role.statement, change);
      return;
    case 'assign':
      change.replace(role.callee, change.use('assign'));
      return;
    case 'pino':
      change.replace(role.name, 'pino');
      return;
    case 'handed-on':
    case 'obstacle':
      return;
    default:
      role satisfies never;
  }
}

/** Removes a statement; if the body has no others, it becomes empty. */
function removeStatement(statement: ts.Statement, change: FileChange): void {
  const body = statement.parent;
  const isLone = ts.isBlock(body) && body.statements.length === 1;
  const rest = isLone
    ? change.file.text.slice(body.getStart() + 1, body.end - 1).replace(statement.getText(), '')
    : 'something';
  if (rest.trim() === '') change.replace(body, '{}');
  else change.removeLines(statement);
}
