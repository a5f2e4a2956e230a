import ts from 'typescript';

const RESPONSE_TYPE = /\b(?:ServerResponse|Http2ServerResponse|AnyResponse|NodeResponse)\b/;
const RESPONSE_NAMES: readonly string[] = ['res', 'response', 'rawResponse'];
const WRITES: ReadonlySet<string> = new Set(['write', 'end']);

/**
 * The calls by which a module writes to an HTTP response itself: of variables, parameters and members that are
 * declared as one, or named like one.
 */
export function responseWritesIn(source: ts.SourceFile): string[] {
  const names = new Set(RESPONSE_NAMES);
  const writes: string[] = [];
  visit(source, (node) => {
    if (!ts.isParameter(node) && !ts.isVariableDeclaration(node) && !ts.isPropertyDeclaration(node))
      return;
    const isOne = node.type !== undefined && RESPONSE_TYPE.test(node.type.getText(source));
    if (isOne && ts.isIdentifier(node.name)) names.add(node.name.text);
  });
  const isResponse = (node: ts.Expression): boolean => names.has(nameOf(node));
  visit(source, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { expression: receiver, name } = node.expression;
    const isWrite = WRITES.has(name.text) && isResponse(receiver);
    const isPiped = name.text === 'pipe' && node.arguments.slice(0, 1).some(isResponse);
    if (isWrite || isPiped)
      writes.push(`${nameOf(isWrite ? receiver : node.arguments[0]!)}.${name.text}`);
  });
  return writes;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** The name of what is called, also behind calls that return it, such as `writeHead`. */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return nameOf(node.expression);
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return nameOf(node.expression.expression);
  }
  if (!ts.isPropertyAccessExpression(node)) return '';
  // Fastify's reply holds Node's response.
  return node.name.text === 'raw' ? 'response' : node.name.text;
}
