import { ts } from './npm-install/typescript.js';
import type { AppFile } from './app-file.js';
import type { LeftOver } from './left-over.js';
import { bindingOf, declarationOf, isShadowed, type LoggerBinding } from './logger-binding.js';
import { roleOf } from './logger-use.js';

/** Bindings that hold the same logger; they are changed together or not at all. */
export interface LoggerGroup {
  readonly bindings: readonly LoggerBinding[];
  readonly uses: readonly ts.Expression[];
  /** The obstacles; empty if the group can be changed. */
  readonly obstacles: readonly LeftOver[];
  /** Whether it is passed to other code, so that it can only be changed together with all such groups. */
  readonly isShared: boolean;
}

/** The loggers of a file, and references to PinoLogger that do not declare one. */
export interface FoundLoggers {
  readonly groups: readonly LoggerGroup[];
  /** References as a type without a binding, such as `mock<PinoLogger>()`. */
  readonly types: readonly ts.Identifier[];
  /** References as a value: `provide: PinoLogger`, `app.get(PinoLogger)`. */
  readonly tokens: readonly ts.Identifier[];
  /** References that cannot be converted. */
  readonly obstacles: readonly LeftOver[];
}

/** Follows the declarations of a file from its references to PinoLogger. */
export function findLoggers({ names }: Pick<AppFile, 'names'>): FoundLoggers {
  const declared = new Map<LoggerBinding['node'], LoggerBinding>();
  const types: ts.Identifier[] = [];
  const tokens: ts.Identifier[] = [];
  const obstacles: LeftOver[] = [];
  for (const { references } of names.filter(({ exported }) => exported === 'PinoLogger')) {
    for (const reference of references) {
      if (isToken(reference)) {
        tokens.push(reference);
        const variable = declarationOf(reference);
        const binding = variable && ts.isVariableDeclaration(variable) && bindingOf(variable);
        if (binding) declared.set(binding.node, binding);
        continue;
      }
      const declaration = declarationOf(reference);
      const isType = ts.isTypeReferenceNode(reference.parent);
      const binding = declaration && isType ? bindingOf(declaration) : undefined;
      if (binding !== undefined) declared.set(binding.node, binding);
      else if (isType && isCast(reference.parent)) types.push(reference);
      else obstacles.push(obstacleAt(reference));
    }
  }
  return { groups: joined([...declared.values()]), types, tokens, obstacles };
}

/** The uses of a logger that classes inherit from one in another file. */
export function inheritedLogger(uses: readonly ts.Expression[]): LoggerGroup {
  return { ...groupFrom([], uses), isShared: true };
}

/** Whether an identifier is used as the token of a provider. */
function isToken({ parent }: ts.Identifier): boolean {
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'provide';
  if (!ts.isCallExpression(parent)) return false;
  const called = parent.expression;
  if (ts.isIdentifier(called)) return called.text === 'Inject';
  return ts.isPropertyAccessExpression(called) && /^(?:get|resolve)$/.test(called.name.text);
}

/** Whether a type is part of a cast or a type argument of a call. */
function isCast(node: ts.Node): boolean {
  const around = ts.findAncestor(node.parent, (it) => !ts.isTypeNode(it));
  return (
    around !== undefined &&
    (ts.isAsExpression(around) || ts.isCallExpression(around) || ts.isSatisfiesExpression(around))
  );
}

function obstacleAt(reference: ts.Identifier): LeftOver {
  const { parent } = reference;
  const position = reference.getStart();
  if (ts.isPropertyAccessExpression(parent)) {
    const what = parent.getText();
    return { position, what, remedy: 'inject LOGX_LOGGER', row: '`PinoLogger.root`' };
  }
  const kind = ts.isExpressionWithTypeArguments(parent)
    ? 'a class derived from PinoLogger'
    : ts.isNewExpression(parent)
      ? 'a PinoLogger made by hand'
      : 'PinoLogger in a place that declares no logger';
  const remedy = 'write it with Logger and @InjectLogger by hand';
  return { position, what: kind, remedy, row: '`PinoLogger`' };
}

/** Puts bindings into one group if one is assigned to the other. */
function joined(bindings: readonly LoggerBinding[]): LoggerGroup[] {
  const groups: LoggerBinding[][] = bindings.map((it) => [it]);
  const groupOf = (use: ts.Expression): LoggerBinding[] | undefined =>
    groups.find((group) => group.some(({ uses }) => uses.includes(use)));
  for (const use of bindings.flatMap((it) => it.uses)) {
    const other = assignedWith(use);
    const one = groupOf(use);
    const two = other && groupOf(other);
    if (one === undefined || two === undefined || one === two) continue;
    one.push(...two);
    groups.splice(groups.indexOf(two), 1);
  }
  return groups.map((group) => groupFrom(group));
}

/** The other side of an assignment. */
function assignedWith(use: ts.Expression): ts.Expression | undefined {
  const { parent } = use;
  if (!ts.isBinaryExpression(parent)) return undefined;
  if (parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return undefined;
  return parent.left === use ? parent.right : parent.left;
}

function groupFrom(
  bindings: readonly LoggerBinding[],
  uses: readonly ts.Expression[] = bindings.flatMap((it) => it.uses),
): LoggerGroup {
  const roles = uses.map((use) => ({ use, role: roleOf(use, bindings) }));
  const obstacles = roles.flatMap(({ role }) => (role.kind === 'obstacle' ? [role.leftOver] : []));
  for (const binding of bindings.filter((it) => isShadowed(it))) {
    obstacles.push({
      position: binding.node.getStart(),
      what: `the name ${binding.name}, which is declared again inside of its scope`,
      remedy: 'give one of the two another name, and run this again',
    });
  }
  const isAssigned = (use: ts.Expression): boolean => {
    const other = assignedWith(use);
    return other !== undefined && uses.includes(other);
  };
  const isHandedOn = roles.some(({ use, role }) => role.kind === 'handed-on' && !isAssigned(use));
  return { bindings, uses, obstacles, isShared: isHandedOn || bindings.some((it) => it.isShared) };
}
