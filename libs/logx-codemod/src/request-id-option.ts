import { ts } from './npm-install/typescript.js';
import { visit } from './app-file.js';

/** Names of functions that create an id as a text. */
const MAKER = /^(?:(?:crypto\.)?randomUUID|uuid|uuidv\d|uuid\.v\d|v[1-7]|nanoid|ulid|cuid)$/;

/**
 * `http.header` and `http.idGenerator` for a `genReqId` that takes the id of one header and creates one if
 * there is none; undefined for any other.
 */
export function idOptions(value: ts.Expression): Record<string, string> | undefined {
  if (MAKER.test(value.getText())) return { idGenerator: `() => ${value.getText()}()` };
  if (!ts.isArrowFunction(value) && !ts.isFunctionExpression(value)) return undefined;
  const makers = new Set<string>();
  const headers = new Map<string, string>();
  let isKnown = true;
  visit(value.body, (node) => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText();
      if (MAKER.test(called)) makers.add(node.getText());
      else isKnown &&= /\.(?:setHeader|header|toString)$|^String$/.test(called);
    } else if (ts.isStringLiteralLike(node)) {
      headers.set(node.text.toLowerCase(), node.text);
    } else if (ts.isTemplateExpression(node) || ts.isNewExpression(node)) {
      isKnown = false;
    } else if (ts.isPropertyAccessExpression(node)) {
      isKnown &&= /^(?:id|headers|setHeader|header|randomUUID|toString|v\d)$/.test(node.name.text);
    }
  });
  const [maker] = makers;
  const [header] = headers.values();
  if (!isKnown || maker === undefined || makers.size > 1 || headers.size > 1) return undefined;
  const isOurs = header === undefined || header.toLowerCase() === 'x-request-id';
  return { ...(isOurs ? {} : { header: `'${header}'` }), idGenerator: `() => ${maker}` };
}
