import { ts } from './npm-install/typescript.js';
import { visit } from './app-file.js';
import type { FileChange } from './file-change.js';
import { isFunction, type Typed, withoutParentheses } from './option-sources.js';

const OPTIONS = 'LogxModuleOptions';

/** What the types of nestjs-pino for options become; false if a type is another one. */
export function changeType({ node, isAsync }: Typed, change: FileChange): boolean {
  if (isFunction(node)) return changeReturnType(node, change);
  if (ts.isExportAssignment(node)) {
    if (!ts.isObjectLiteralExpression(withoutParentheses(node.expression))) return true;
    change.insert(node.expression.end, ` satisfies ${typeCode(isAsync, change)}`);
    return true;
  }
  if (node.type !== undefined) return changeTypeNode(node.type, change);
  const value = node.initializer && withoutParentheses(node.initializer);
  const isWritten =
    value !== undefined &&
    (ts.isObjectLiteralExpression(value) || ts.isConditionalExpression(value));
  if (isWritten) change.insert(node.name.end, `: ${typeCode(isAsync, change)}`);
  return true;
}

/** Replaces the types of nestjs-pino in a type; false if it has none, so that it is not one of options. */
export function changeTypeNode(type: ts.TypeNode, change: FileChange): boolean {
  let isKnown = false;
  visit(type, (it) => {
    if (!ts.isIdentifier(it)) return;
    const name = change.file.names.find(({ local }) => local === it.text)?.exported;
    if (name === 'Params') change.rename(it, OPTIONS, true);
    else if (name === 'LoggerModuleAsyncParams') {
      change.replace(it, typeCode(true, change));
      change.gone(it);
    } else return;
    isKnown = true;
  });
  return isKnown;
}

function changeReturnType(
  node: Exclude<Typed['node'], ts.VariableDeclaration | ts.ExportAssignment>,
  change: FileChange,
): boolean {
  if (node.type !== undefined) return changeTypeNode(node.type, change);
  const { text } = change.file;
  const at = text.indexOf(')', node.parameters.end);
  const isBare = ts.isArrowFunction(node) && !/^(?:async\s*)?\(/.test(text.slice(node.getStart()));
  if (isBare || at < 0) return false;
  const isAsync = node.modifiers?.some((it) => it.kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  const type = change.use(OPTIONS, true);
  change.insert(at + 1, `: ${isAsync ? `Promise<${type}>` : type}`);
  return true;
}

function typeCode(isAsync: boolean, change: FileChange): string {
  return isAsync
    ? `Parameters<typeof ${change.use('LogxModule')}.forRootAsync>[0]`
    : change.use(OPTIONS, true);
}
