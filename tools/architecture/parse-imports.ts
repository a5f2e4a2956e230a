import ts from 'typescript';
import { type Declaration, declarationsIn } from './parse-declarations.js';
import { responseWritesIn } from './parse-response-writes.js';

/** One `import`, `export … from` or `import()`. */
export interface Import {
  readonly specifier: string;
  /** Gone after compilation. */
  readonly typeOnly: boolean;
  /** An `import()`: it runs, and may fail, where it stands. */
  readonly isCall?: true;
}

/** What the rules want to know of a module. */
export interface ModuleShape {
  readonly imports: readonly Import[];
  /** It has an `export *`. */
  readonly exportsAll: boolean;
  /** It has an `export default`. */
  readonly exportsDefault: boolean;
  /** Types and functions at the top level. */
  readonly declarations: readonly Declaration[];
  /** Calls that write to an HTTP response. */
  readonly responseWrites: readonly string[];
}

/** Reads a module's imports, exports and declarations from its text. */
export function parseImports(text: string): ModuleShape {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.ES2023, true);
  const imports: Import[] = [];
  let exportsAll = false;
  let exportsDefault = false;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      imports.push({ specifier: textOf(node.moduleSpecifier), typeOnly: isTypeImport(node) });
    } else if (ts.isExportDeclaration(node)) {
      exportsAll ||= node.exportClause === undefined || ts.isNamespaceExport(node.exportClause);
      if (node.moduleSpecifier !== undefined) {
        imports.push({ specifier: textOf(node.moduleSpecifier), typeOnly: isTypeExport(node) });
      }
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      imports.push({ specifier: textOf(node.arguments[0]), typeOnly: false, isCall: true });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      imports.push({ specifier: textOf(node.argument.literal), typeOnly: true });
    }
    exportsDefault ||= ts.isExportAssignment(node) || hasDefaultModifier(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const declarations = declarationsIn(source);
  const responseWrites = responseWritesIn(source);
  return { imports, exportsAll, exportsDefault, declarations, responseWrites };
}

function textOf(node: ts.Node | undefined): string {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : '(computed)';
}

function isTypeImport(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.length > 0 &&
    bindings.elements.every((element) => element.isTypeOnly)
  );
}

function isTypeExport(node: ts.ExportDeclaration): boolean {
  const clause = node.exportClause;
  return (
    node.isTypeOnly ||
    (clause !== undefined &&
      ts.isNamedExports(clause) &&
      clause.elements.length > 0 &&
      clause.elements.every((element) => element.isTypeOnly))
  );
}

function hasDefaultModifier(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}
