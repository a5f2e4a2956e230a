import ts from 'typescript';

const printer = ts.createPrinter({ removeComments: true });
const PRIVATE = /^\s+(?:#private;|(?:private|protected) .*;)\n/gm;

/** What a symbol is, as TypeScript without comments and without what is private. */
export function declarationText(symbol: ts.Symbol): string {
  const texts = (symbol.declarations ?? []).map((declaration) => {
    const statement = ts.isVariableDeclaration(declaration)
      ? declaration.parent.parent
      : declaration;
    return printer
      .printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile())
      .replace(/^(?:export )?(?:default )?(?:declare )?/, '')
      .replaceAll(PRIVATE, '')
      .replaceAll(/^( +)/gm, (spaces) => ' '.repeat(spaces.length / 2));
  });
  return [...new Set(texts)].join('\n');
}
