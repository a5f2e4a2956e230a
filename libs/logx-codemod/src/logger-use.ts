import { ts } from './npm-install/typescript.js';
import type { LeftOver } from './left-over.js';
import { fatalCall } from './log-call.js';
import { classAround, type LoggerBinding } from './logger-binding.js';

/** How a logger is used at one place. */
export type LoggerUse =
  /** Calls a method that logs. */
  | { readonly kind: 'call'; readonly method: string; readonly call: ts.CallExpression }
  /** Reads a method without calling it, as tests do. */
  | { readonly kind: 'method'; readonly name: ts.MemberName }
  /** `setContext` in the constructor: its argument, and the statement. */
  | { readonly kind: 'context'; readonly context: ts.Expression; readonly statement: ts.Statement }
  | { readonly kind: 'assign'; readonly callee: ts.Expression }
  /** The pino logger behind it. */
  | { readonly kind: 'pino'; readonly name: ts.MemberName }
  | { readonly kind: 'handed-on' }
  | { readonly kind: 'obstacle'; readonly leftOver: LeftOver };

const METHODS = /^(?:trace|debug|info|warn|error|fatal)$/;

/** @param bindings what holds the logger, for its class. */
export function roleOf(use: ts.Expression, bindings: readonly LoggerBinding[]): LoggerUse {
  const { parent } = use;
  if (ts.isElementAccessExpression(parent) && parent.expression === use) {
    return obstacle(parent, 'the method is chosen while the app runs');
  }
  if (ts.isVariableDeclaration(parent) && parent.initializer === use) {
    return obstacle(parent, 'the logger gets a second name');
  }
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== use) {
    return { kind: 'handed-on' };
  }
  const { name } = parent;
  const call =
    ts.isCallExpression(parent.parent) && parent.parent.expression === parent
      ? parent.parent
      : undefined;
  if (METHODS.test(name.text)) {
    const isFatal = call !== undefined && name.text === 'fatal';
    if (isFatal && fatalCall(call, 'Level', { quote: "'" }) === undefined) {
      return obstacle(
        call,
        'a fatal event, which ends the process here, in a form that is not known',
      );
    }
    return call === undefined
      ? { kind: 'method', name }
      : { kind: 'call', method: name.text, call };
  }
  if (name.text === 'logger') return { kind: 'pino', name };
  if (name.text === 'assign' && call !== undefined && parent.questionDotToken === undefined) {
    return { kind: 'assign', callee: parent };
  }
  if (name.text === 'setContext' && call !== undefined) return contextIn(call, bindings);
  return obstacle(parent, `${name.text}, which a Logger does not have`);
}

function contextIn(call: ts.CallExpression, bindings: readonly LoggerBinding[]): LoggerUse {
  const statement = call.parent;
  const [context] = call.arguments;
  const owner = classAround(call);
  const isOfClass = owner !== undefined && bindings.some((it) => it.owner === owner);
  const isInConstructor =
    ts.isExpressionStatement(statement) && ts.isConstructorDeclaration(statement.parent.parent);
  if (
    !isOfClass ||
    !isInConstructor ||
    context === undefined ||
    !isConstant(context, owner) ||
    // Nothing is injected into a class without a decorator; a derived class has its own name.
    !(isDecorated(owner) || context.getText() === 'this.constructor.name')
  ) {
    return obstacle(call, 'setContext with a name that is not known when the class is declared');
  }
  return { kind: 'context', context, statement };
}

/** Whether Nest creates the instances of a class. */
export function isDecorated(owner: ts.ClassLikeDeclaration): boolean {
  return (ts.canHaveDecorators(owner) ? (ts.getDecorators(owner) ?? []) : []).length > 0;
}

/** Whether a decorator can contain the same expression: a text, `Some.name`, or the class itself. */
function isConstant(node: ts.Expression, owner: ts.ClassLikeDeclaration): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    isNameOfClass(node, owner) ||
    (ts.isPropertyAccessExpression(node) &&
      node.name.text === 'name' &&
      ts.isIdentifier(node.expression) &&
      /^\p{Lu}/u.test(node.expression.text))
  );
}

/** Whether an expression is the name of its enclosing class. */
export function isNameOfClass(
  node: ts.Expression,
  owner: ts.ClassLikeDeclaration | undefined,
): boolean {
  const text = node.getText();
  return (
    text === 'this.constructor.name' ||
    text === 'new.target.name' ||
    (owner?.name !== undefined && text === `${owner.name.text}.name`)
  );
}

function obstacle(node: ts.Node, what: string): LoggerUse {
  const leftOver = {
    position: node.getStart(),
    what: `${node.getText().split('\n', 1)[0]!.slice(0, 60)}: ${what}`,
    remedy: 'its logger stays a PinoLogger; write it with a Logger by hand',
    row: '`PinoLogger`',
  };
  return { kind: 'obstacle', leftOver };
}
