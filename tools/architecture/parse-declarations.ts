import ts from 'typescript';

/** Something that a module declares at its top level. */
export interface Declaration {
  readonly name: string;
  /** A class, interface, alias or enum is a type, and so is a constant that is named like one. */
  readonly kind: 'type' | 'function';
  readonly isExported: boolean;
}

/** The types and functions of a module; each name once, however many overloads it has. */
export function declarationsIn(source: ts.SourceFile): Declaration[] {
  const byName = new Map<string, Declaration>();
  for (const declaration of source.statements.flatMap(declaredBy)) {
    const { name, isExported } = declaration;
    const known = byName.get(name);
    byName.set(name, { ...declaration, isExported: isExported || known?.isExported === true });
  }
  return [...byName.values()];
}

function declaredBy(statement: ts.Statement): Declaration[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      if (!ts.isIdentifier(name)) return [];
      const kind = kindOfConstant(name.text, initializer);
      return kind === undefined ? [] : [{ name: name.text, kind, isExported }];
    });
  }
  const isFunction = ts.isFunctionDeclaration(statement);
  if (!isFunction && !isType(statement)) return [];
  const { name } = statement;
  if (name === undefined) return [];
  return [{ name: name.text, kind: isFunction ? 'function' : 'type', isExported }];
}

function isType(node: ts.Node) {
  return (
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node)
  );
}

function kindOfConstant(name: string, value?: ts.Expression): Declaration['kind'] | undefined {
  if (/^[A-Z][A-Za-z]*[a-z]/.test(name)) return 'type';
  const isFunction =
    value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
  return isFunction ? 'function' : undefined;
}
