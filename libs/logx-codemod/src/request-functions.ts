import { ts } from './npm-install/typescript.js';
import { visit } from './app-file.js';
import { type Edit, edited } from './edit.js';

type FunctionNode = ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;

/**
 * Converts a function of the request and the response to one of only the request; undefined if it uses
 * more, such as properties that pino-http adds to requests.
 */
export function requestFunction(
  node: ts.Expression | ts.ObjectLiteralElementLike,
): string | undefined {
  const found = functionIn(node);
  if (found?.body === undefined) return undefined;
  const [request, ...others] = found.parameters;
  if (found.parameters.some((it) => !ts.isIdentifier(it.name))) return undefined;
  if (others.some((it) => usesOf(it, found.body!).length > 0)) return undefined;
  const uses = request === undefined ? [] : usesOf(request, found.body);
  const isPlain = uses.every(
    ({ parent }) =>
      ts.isPropertyAccessExpression(parent) &&
      /^(?:url|method|headers|socket)$/.test(parent.name.text),
  );
  const isCast = uses.every(({ parent }) => ts.isAsExpression(parent));
  if (!isPlain && !isCast) return undefined;
  const name = request === undefined || uses.length === 0 ? '' : request.name.getText();
  // Types of a framework are removed, so that those of `http` are inferred.
  return `(${name}) => ${bodyOf(found)}`;
}

/**
 * Converts `customLogLevel` to a function of the outcome; undefined if it uses more than the status and
 * whether there is an error.
 */
export function outcomeFunction(node: ts.Expression): string | undefined {
  const found = functionIn(node);
  if (found?.body === undefined) return undefined;
  const [request, response, error] = found.parameters;
  if (found.parameters.some((it) => !ts.isIdentifier(it.name))) return undefined;
  if (request !== undefined && usesOf(request, found.body).length > 0) return undefined;
  const statuses = response === undefined ? [] : usesOf(response, found.body);
  if (!statuses.every(({ parent }) => isStatus(parent))) return undefined;
  const errors = error === undefined ? [] : usesOf(error, found.body);
  if (errors.some(({ parent }) => ts.isPropertyAccessExpression(parent))) return undefined;
  // The error that pino-http passes is one of the connection, not the error of a handler.
  const edits: Edit[] = [
    ...statuses.map(({ parent }) => put(parent, 'status')),
    ...errors.map((it) => put(it, 'ended')),
  ];
  visit(found.body, (it) => {
    if (ts.isStringLiteralLike(it) && it.text === 'silent') edits.push(put(it, "'off'"));
  });
  const names = [
    ...(statuses.length > 0 ? ['status'] : []),
    ...(errors.length > 0 ? ['ended'] : []),
  ];
  const from = found.body.getStart();
  const local = edits.map(({ start, end, text }) => ({
    start: start - from,
    end: end - from,
    text,
  }));
  return `(${names.length === 0 ? '' : `{ ${names.join(', ')} }`}) => ${edited(bodyOf(found), local)}`;
}

function functionIn(node: ts.Node): FunctionNode | undefined {
  const inner = ts.isPropertyAssignment(node) ? node.initializer : node;
  if (
    !ts.isArrowFunction(inner) &&
    !ts.isFunctionExpression(inner) &&
    !ts.isMethodDeclaration(inner)
  ) {
    return undefined;
  }
  const isPlain = inner.modifiers === undefined && inner.asteriskToken === undefined;
  return isPlain && !usesThis(inner) ? inner : undefined;
}

function usesThis(node: FunctionNode): boolean {
  let found = false;
  visit(node, (it) => void (found ||= it.kind === ts.SyntaxKind.ThisKeyword));
  return found;
}

function bodyOf({ body }: FunctionNode): string {
  return body!.getText();
}

function isStatus(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node) && node.name.text === 'statusCode';
}

function put(node: ts.Node, text: string): Edit {
  return { start: node.getStart(), end: node.end, text };
}

function usesOf({ name }: ts.ParameterDeclaration, body: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  visit(body, (node) => {
    if (!ts.isIdentifier(node) || node.text !== name.getText()) return;
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
    if (!isMember && !isKey) found.push(node);
  });
  return found;
}
