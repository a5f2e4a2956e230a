import type { ParsedNode } from './parse-source.js';
import type { CelMacroNode } from './cel-node.js';

/** A macro, before it is checked. */
export interface MacroShape {
  readonly macro: CelMacroNode['macro'];
  readonly range: ParsedNode;
  readonly variable: string;
  readonly test: ParsedNode | undefined;
  readonly step: ParsedNode | undefined;
}

type Comprehension = Extract<
  ParsedNode['exprKind'],
  { readonly case: 'comprehensionExpr' }
>['value'];

/**
 * The macro that the parser made a fold of. The fold collects a list by concatenation, which copies it at each step;
 * what the macro means is checked and compiled instead.
 */
export function macroShape(fold: Comprehension): MacroShape | undefined {
  const { iterRange: range, iterVar: variable, loopStep } = fold;
  const call = callOf(loopStep);
  if (range === undefined || call === undefined) return undefined;
  const [first, second, third] = call.args;
  switch (call.function) {
    case '_&&_':
      return { macro: 'all', range, variable, test: second, step: undefined };
    case '_||_':
      return { macro: 'exists', range, variable, test: second, step: undefined };
    case '_+_':
      return { macro: 'list', range, variable, test: undefined, step: onlyElement(second) };
    case '_?_:_': {
      if (third?.exprKind.case !== 'identExpr') return undefined;
      const step = onlyElement(callOf(second)?.args[1]);
      return {
        macro: step === undefined ? 'existsOne' : 'list',
        range,
        variable,
        test: first,
        step,
      };
    }
    default:
      return undefined;
  }
}

function callOf(
  node: ParsedNode | undefined,
): { readonly function: string; readonly args: readonly ParsedNode[] } | undefined {
  return node?.exprKind.case === 'callExpr' ? node.exprKind.value : undefined;
}

function onlyElement(node: ParsedNode | undefined): ParsedNode | undefined {
  return node?.exprKind.case === 'listExpr' ? node.exprKind.value.elements[0] : undefined;
}
