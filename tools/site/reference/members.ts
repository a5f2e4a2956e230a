import ts from 'typescript';
import { docstringOf, type Finders } from './docstring.js';

/** What the docstrings say of the members of a class, an interface or an object type, as a list. */
export function membersOf(symbol: ts.Symbol, checker: ts.TypeChecker, find: Finders): string {
  const lines = (symbol.declarations ?? []).flatMap((declaration) =>
    memberNodes(declaration).flatMap((member) => {
      const own = member.name && checker.getSymbolAtLocation(member.name);
      if (own === undefined || isPrivate(member)) return [];
      const text = docstringOf(own, checker, find).replaceAll(/\s*\n\s*/g, ' ');
      return text === '' ? [] : [`- \`${member.name!.getText()}\`: ${text}`];
    }),
  );
  return [...new Set(lines)].join('\n');
}

function memberNodes(declaration: ts.Declaration): readonly (ts.ClassElement | ts.TypeElement)[] {
  if (ts.isClassDeclaration(declaration)) return declaration.members;
  if (ts.isInterfaceDeclaration(declaration)) return declaration.members;
  if (ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)) {
    return declaration.type.members;
  }
  return [];
}

function isPrivate(member: ts.ClassElement | ts.TypeElement): boolean {
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  return (
    (member.name !== undefined && ts.isPrivateIdentifier(member.name)) ||
    modifiers.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
  );
}
