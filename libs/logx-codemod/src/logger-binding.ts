import { ts } from './npm-install/typescript.js';
import { type AppFile, visit } from './app-file.js';

/** Something declared as a PinoLogger: a parameter, a property, a variable. */
export interface LoggerBinding {
  readonly node: ts.ParameterDeclaration | ts.PropertyDeclaration | ts.VariableDeclaration;
  readonly name: string;
  /** The class into which Nest injects it, in its constructor or as a property. */
  readonly owner: ts.ClassLikeDeclaration | undefined;
  /** It is a member of `owner`. */
  readonly isMember: boolean;
  /** Whether code outside of the file may use it. */
  readonly isShared: boolean;
  /** Where it is used: `this.logger` or `logger`. */
  readonly uses: readonly ts.Expression[];
}

/** The declaration of a reference to the type; undefined if it cannot be followed. */
export function declarationOf(reference: ts.Node): LoggerBinding['node'] | undefined {
  for (let node = reference.parent; node !== undefined; node = node.parent) {
    if (ts.isParameter(node) || ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) {
      return node;
    }
    if (ts.isStatement(node) || ts.isFunctionLike(node) || ts.isClassLike(node)) return undefined;
    if (ts.isTypeElement(node) || ts.isObjectLiteralExpression(node)) return undefined;
  }
  return undefined;
}

/** The binding of a declaration; undefined for a pattern. */
export function bindingOf(node: LoggerBinding['node']): LoggerBinding | undefined {
  if (!ts.isIdentifier(node.name)) return undefined;
  const name = node.name.text;
  const { parent } = node;
  const isInjected =
    (ts.isParameter(node) && ts.isConstructorDeclaration(parent)) || ts.isPropertyDeclaration(node);
  const owner = isInjected ? classAround(node) : undefined;
  const isMember =
    ts.isPropertyDeclaration(node) ||
    (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, parent));
  const uses = [
    ...(isMember && owner !== undefined ? membersNamed(owner, name) : []),
    ...(ts.isPropertyDeclaration(node) ? [] : localsNamed(node, name)),
  ];
  const isPrivate = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
  const isShared = isMember ? !isPrivate : !isInjected;
  return { node, name, owner, isMember, isShared, uses };
}

/** All `this.name` in a class, except in nested classes. */
export function membersNamed(owner: ts.ClassLikeDeclaration, name: string): ts.Expression[] {
  const found: ts.Expression[] = [];
  visit(owner, (node) => {
    if (!ts.isPropertyAccessExpression(node) || node.name.text !== name) return;
    const isOwn = node.expression.kind === ts.SyntaxKind.ThisKeyword;
    if (isOwn && classAround(node) === owner) found.push(node);
  });
  return found;
}

/** The class that a node is in. */
export function classAround(node: ts.Node): ts.ClassLikeDeclaration | undefined {
  return ts.findAncestor(node.parent, ts.isClassLike);
}

/** Whether another declaration in the scope has the name, so that uses cannot be distinguished. */
export function isShadowed({ node, name }: LoggerBinding): boolean {
  let declarations = 0;
  visit(scopeOf(node), (it) => {
    const isOne =
      ts.isParameter(it) ||
      ts.isVariableDeclaration(it) ||
      ts.isBindingElement(it) ||
      ts.isFunctionDeclaration(it);
    if (isOne && it.name?.getText() === name) declarations += 1;
  });
  return !ts.isPropertyDeclaration(node) && declarations > 1;
}

function localsNamed(node: LoggerBinding['node'], name: string): ts.Expression[] {
  const found: ts.Expression[] = [];
  visit(scopeOf(node), (it) => {
    if (ts.isIdentifier(it) && it.text === name && it !== node.name && isValue(it)) found.push(it);
  });
  return found;
}

function scopeOf(node: LoggerBinding['node']): ts.Node {
  if (ts.isParameter(node)) return node.parent;
  if (ts.isPropertyDeclaration(node)) return node;
  return ts.findAncestor(node.parent, (it) => ts.isBlock(it) || ts.isSourceFile(it))!;
}

function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !(ts.isTypeElement(parent) || ts.isClassElement(parent)) || parent.name !== node;
}

/** The name of the base class; undefined if there is none, or if it is not a plain name. */
export function baseNameOf(node: ts.ClassLikeDeclaration): string | undefined {
  const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  const base = clause?.types[0]?.expression;
  return base !== undefined && ts.isIdentifier(base) ? base.text : undefined;
}

/** The classes of a file. */
export function classesIn({ source }: Pick<AppFile, 'source'>): ts.ClassLikeDeclaration[] {
  const found: ts.ClassLikeDeclaration[] = [];
  visit(source, (node) => void (ts.isClassLike(node) && found.push(node)));
  return found;
}
