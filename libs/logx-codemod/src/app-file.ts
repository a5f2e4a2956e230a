import { ts } from './npm-install/typescript.js';

/** The package whose calls are rewritten. */
export const FOREIGN = 'nestjs-pino';

/** A file of an app as a text. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A name that a file imports from nestjs-pino. */
export interface ForeignName {
  /** The name that nestjs-pino exports. */
  readonly exported: string;
  /** The name in the file. */
  readonly local: string;
  readonly specifier: ts.ImportSpecifier;
  /** The references to it in the file, except its import. */
  readonly references: readonly ts.Identifier[];
}

/** A file of the app, parsed. */
export interface AppFile extends SourceText {
  readonly source: ts.SourceFile;
  readonly names: readonly ForeignName[];
  /** The names in the file and how often each occurs, those of members left out. */
  readonly identifiers: ReadonlyMap<string, number>;
}

/** Reads a file; one without `nestjs-pino` has no names. It never throws. */
export function parseAppFile(path: string, text: string): AppFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kindOf(path));
  const all: ts.Identifier[] = [];
  visit(source, (node) => void (ts.isIdentifier(node) && all.push(node)));
  const identifiers = new Map<string, number>();
  for (const { text: name } of all.filter((it) => !isMemberName(it))) {
    identifiers.set(name, (identifiers.get(name) ?? 0) + 1);
  }
  const names = importsOf(source, FOREIGN).flatMap((declaration) =>
    specifiersOf(declaration).map((specifier) => ({
      exported: (specifier.propertyName ?? specifier.name).text,
      local: specifier.name.text,
      specifier,
      references: all.filter((it) => isReference(it, specifier)),
    })),
  );
  return { path, text, source, names, identifiers };
}

/** Whether the parser found mistakes, so that its result is a guess. */
export function isBroken(source: ts.SourceFile): boolean {
  // A member of the compiler's internals; the only public way to it is a program.
  const { parseDiagnostics = [] } = source as { parseDiagnostics?: readonly unknown[] };
  return parseDiagnostics.length > 0;
}

/** Calls `look` for a node and all below it. */
export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  const waiting: ts.Node[] = [node];
  // Not by recursion: generated code can be nested deeper than the stack.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    look(next);
    const children: ts.Node[] = [];
    ts.forEachChild(next, (child) => void children.push(child));
    waiting.push(...children.toReversed());
  }
}

/** The imports of a module. */
export function importsOf(source: ts.SourceFile, module: string): ts.ImportDeclaration[] {
  return source.statements.filter(
    (it): it is ts.ImportDeclaration =>
      ts.isImportDeclaration(it) &&
      ts.isStringLiteral(it.moduleSpecifier) &&
      it.moduleSpecifier.text === module,
  );
}

/** The names in the braces of an import. */
export function specifiersOf(declaration: ts.ImportDeclaration): readonly ts.ImportSpecifier[] {
  const bindings = declaration.importClause?.namedBindings;
  return bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
}

function isReference(node: ts.Identifier, specifier: ts.ImportSpecifier): boolean {
  const { parent } = node;
  if (node.text !== specifier.name.text || ts.isImportSpecifier(parent)) return false;
  return !isMemberName(node);
}

export function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return true;
  if (ts.isQualifiedName(parent) && parent.right === node) return true;
  const isMember =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isEnumMember(parent);
  return isMember && parent.name === node;
}

function kindOf(path: string): ts.ScriptKind {
  if (path.endsWith('.tsx')) return ts.ScriptKind.TSX;
  return /\.[cm]?jsx?$/.test(path) ? ts.ScriptKind.JSX : ts.ScriptKind.TS;
}
