import { createHash } from 'node:crypto';
import ts from 'typescript';

/** One change of one place of a file. */
export interface Mutant {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Where the text begins that is replaced, and where it ends. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** What kind of change it is, such as `condition`. */
  readonly kind: string;
  readonly before: string;
  readonly after: string;
  /** The same for the same change of the same text. */
  readonly id: string;
}

type Change = readonly [kind: string, after: string];

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '&&=': '||=',
  '||=': '&&=',
  '??=': '&&=',
};

/** Every mutant of a file, in the order of the text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, [kind, after]: Change): void => {
    const start = node.getStart(source);
    const end = node.getEnd();
    const before = text.slice(start, end);
    if (before === after) return;
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const key = JSON.stringify([file, start, before, kind, after]);
    const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
    mutants.push({ file, start, end, line, kind, before, after, id });
  };
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    mutateNode(node, source, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** The text of a file with the mutant in it. */
export function mutated(text: string, { start, end, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(end);
}

/** Types are gone when the program runs, and a module without its imports does not load at all. */
function isLeftAlone(node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

function mutateNode(
  node: ts.Node,
  source: ts.SourceFile,
  add: (node: ts.Node, change: Change) => void,
): void {
  if (ts.isBinaryExpression(node)) {
    const after = OPERATORS[node.operatorToken.getText(source)];
    if (after !== undefined && !joinsTexts(node)) add(node.operatorToken, ['operator', after]);
  } else if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    add(condition, ['condition', 'true']);
    add(condition, ['condition', 'false']);
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, ['flag', 'false']);
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, ['flag', 'true']);
  else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    add(node, ['negation', node.operand.getText(source)]);
  } else if (ts.isNumericLiteral(node)) add(node, ['number', `(${node.getText(source)} + 1)`]);
  else if (ts.isStringLiteral(node) && isValue(node)) {
    add(node, ['text', node.text === '' ? "'mutant'" : "''"]);
  } else if (ts.isNoSubstitutionTemplateLiteral(node) && node.text !== '')
    add(node, ['text', '``']);
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) add(node, ['list', '[]']);
  else if (ts.isExpressionStatement(node) && !isSuperCall(node.expression)) {
    add(node, ['statement', ';']);
  } else if (ts.isReturnStatement(node) && node.expression !== undefined) {
    add(node.expression, ['result', 'undefined']);
  } else if (ts.isOptionalChain(node) && !ts.isNonNullChain(node) && node.questionDotToken) {
    const after = ts.isPropertyAccessExpression(node) ? '.' : '';
    add(node.questionDotToken, ['chain', after]);
  }
}

/** A minus between texts is NaN everywhere, and finds nothing that an empty text does not. */
function joinsTexts({ left, right, operatorToken }: ts.BinaryExpression): boolean {
  const isText = (node: ts.Node): boolean =>
    ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  return operatorToken.kind === ts.SyntaxKind.PlusToken && (isText(left) || isText(right));
}

/** A text that is no name of a member. */
function isValue(node: ts.StringLiteral): boolean {
  return !ts.isPropertyAssignment(node.parent) || node.parent.initializer === node;
}

function isSuperCall(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;
}
