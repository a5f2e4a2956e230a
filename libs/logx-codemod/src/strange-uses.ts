import { ts } from './npm-install/typescript.js';
import { type AppFile, FOREIGN, visit } from './app-file.js';
import type { LeftOver } from './left-over.js';

/** Uses of nestjs-pino that are not supported; a file with any of them is not changed. */
export function strangeUses({ path, source, names }: AppFile): LeftOver[] {
  const found: LeftOver[] = [];
  const isScript = /\.[cm]?jsx?$/.test(path);
  visit(source, (node) => {
    if (!ts.isStringLiteralLike(node) || node.text !== FOREIGN) return;
    const { parent } = node;
    const bindings = ts.isImportDeclaration(parent)
      ? parent.importClause?.namedBindings
      : undefined;
    const isNamed =
      ts.isImportDeclaration(parent) &&
      parent.importClause?.name === undefined &&
      bindings !== undefined &&
      ts.isNamedImports(bindings);
    if (isNamed && !isScript) return;
    // Otherwise it is an ordinary text, such as a name in a list.
    const isWay =
      ts.isImportDeclaration(parent) ||
      ts.isExportDeclaration(parent) ||
      ts.isExternalModuleReference(parent) ||
      ts.isLiteralTypeNode(parent) ||
      ts.isCallExpression(parent);
    if (!isWay) return;
    const what = parent.getText().split('\n', 1)[0]!.slice(0, 80);
    found.push({
      position: node.getStart(),
      what: isScript ? `JavaScript: ${what}` : what,
      remedy: isScript
        ? 'JavaScript is not changed; take this file over by hand'
        : "only import { … } from 'nestjs-pino' is followed: write it so, and run this again",
    });
  });
  return [...found, ...(isScript ? [] : redeclared(source, names))];
}

/** A name that the file declares a second time cannot be distinguished from the imported one. */
function redeclared(source: ts.SourceFile, names: AppFile['names']): LeftOver[] {
  const found: LeftOver[] = [];
  visit(source, (node) => {
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isTypeParameterDeclaration(node);
    const name = isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name.text : '';
    if (!names.some(({ local }) => local === name)) return;
    found.push({
      position: node.getStart(),
      what: `${name}, which is imported from nestjs-pino and declared again`,
      remedy: 'give one of the two another name, and run this again',
    });
  });
  return found;
}
