import { ts } from './npm-install/typescript.js';

/** Methods that only return their receiver in another form. */
const FORMS = /^(?:toString|toFixed|toJSON|toISOString|toLocaleString|join|trim|slice)$/;

/** Functions that only return their argument in another form. */
const FORMERS = /^(?:String|Number|JSON\.stringify|inspect|util\.inspect)$/;

/** The name of a template's hole for an expression: `{OrderId}` for `order.id`, else `{Value}`. */
export function holeName(expression: ts.Expression): string {
  const name = nameOf(expression)
    .replaceAll(/[^\p{L}\p{N}]+(.)?/gu, (_, next: string = '') => next.toUpperCase())
    .replace(/^\p{N}+/u, '');
  return name === '' ? 'Value' : name[0]!.toUpperCase() + name.slice(1);
}

function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return joined(ownerOf(node.expression), node.name.text);
  if (ts.isElementAccessExpression(node)) {
    const { expression, argumentExpression: key } = node;
    return joined(ownerOf(expression), ts.isStringLiteralLike(key) ? key.text : '');
  }
  if (ts.isCallExpression(node)) return nameOfCall(node);
  if (ts.isBinaryExpression(node)) return nameOf(node.left);
  if (
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isSatisfiesExpression(node)
  ) {
    return nameOf(node.expression);
  }
  return '';
}

function nameOfCall({ expression, arguments: [first] }: ts.CallExpression): string {
  if (FORMERS.test(expression.getText())) return first === undefined ? '' : nameOf(first);
  if (ts.isPropertyAccessExpression(expression)) {
    const { name, expression: receiver } = expression;
    return FORMS.test(name.text) ? nameOf(receiver) : name.text.replace(/^get(?=\p{Lu})/u, '');
  }
  return nameOf(expression).replace(/^get(?=\p{Lu})/u, '');
}

/** The last name of the owner of a member; `this` has no useful name. */
function ownerOf(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return nameOf(node);
}

function joined(owner: string, member: string): string {
  const isSaid = owner === '' || member.toLowerCase().startsWith(owner.toLowerCase());
  return isSaid ? member : `${owner}_${member}`;
}
