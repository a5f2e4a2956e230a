import { parse } from '../../npm-install/@bufbuild/cel.js';
import type { CelMistake } from '../cel-scope.js';

type ParsedSource = ReturnType<typeof parse>;

/** The node of the parser's tree. */
export type ParsedNode = NonNullable<ParsedSource['expr']>;

/** What a node is, by its case. */
export type ParsedKind<K extends ParsedNode['exprKind']['case']> = Extract<
  ParsedNode['exprKind'],
  { readonly case: K }
>['value'];

export interface ParsedExpression {
  readonly root: ParsedNode;
  /** Where a node is in the source. */
  positionOf(node: { readonly id: bigint }): number;
}

/** Longer expressions are refused before they are parsed: the parser recurses. */
const LONGEST = 20_000;

/** The tree, or the one mistake that the parser stops at. */
export function parseSource(source: string): ParsedExpression | CelMistake {
  if (source.length > LONGEST) {
    return mistakeAt(source, LONGEST, `the expression is longer than ${LONGEST} characters`);
  }
  try {
    const { expr, sourceInfo } = parse(source);
    if (expr === undefined) return mistakeAt(source, 0, 'the expression is empty');
    return { root: expr, positionOf: ({ id }) => sourceInfo?.positions[id.toString()] ?? 0 };
  } catch (error) {
    return ofParser(source, error);
  }
}

export function isMistake(parsed: ParsedExpression | CelMistake): parsed is CelMistake {
  return 'line' in parsed;
}

/** The mistake with line and column of an offset. The parser counts the space before an operator to it. */
export function mistakeAt(source: string, at: number, message: string): CelMistake {
  let start = at;
  while (/\s/.test(source.charAt(start))) start++;
  const before = source.slice(0, start).split(/\r\n|\r|\n/);
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function ofParser(source: string, error: unknown): CelMistake {
  if (error instanceof RangeError)
    return mistakeAt(source, 0, 'the expression is nested too deeply');
  const message = error instanceof Error ? error.message : String(error);
  return mistakeAt(
    source,
    offsetOf(error),
    message.replace(/^<input>:\d+:\d+: /, 'syntax error: '),
  );
}

function offsetOf(error: unknown): number {
  const { location } = error as {
    readonly location?: { readonly start?: { readonly offset?: unknown } };
  };
  const offset = location?.start?.offset;
  return typeof offset === 'number' ? offset : 0;
}

/** `a.b.c` of selections only; undefined for anything else. */
export function selectionName({ exprKind }: ParsedNode): string | undefined {
  if (exprKind.case === 'identExpr') return exprKind.value.name;
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly) return undefined;
  const operand = exprKind.value.operand && selectionName(exprKind.value.operand);
  return operand === undefined ? undefined : `${operand}.${exprKind.value.field}`;
}
