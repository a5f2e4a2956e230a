import { ts } from './npm-install/typescript.js';

/** Names that errors have in calls. */
const ERROR_NAME = /^(?:e|ex|exc|err|error|exception|reason|cause)$|(?:Err|Error|Exception)$/;

/** Whether an expression is an error by its name, by `new` or by the clause that caught it. */
export function isErrorLike(node: ts.Expression): boolean {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node))
    return isErrorLike(node.expression);
  if (ts.isNewExpression(node)) return /(?:Error|Exception)$/.test(node.expression.getText());
  return ts.isIdentifier(node) && ERROR_NAME.test(node.text);
}
