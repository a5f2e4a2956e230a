import { CelError } from '../cel-error.js';
import type { CelMacroNode } from '../check/cel-node.js';
import { isCelMap, noSuchOverload } from '../values/cel-value.js';
import type { EvaluatePart, EvaluationFrame } from './frame.js';

/** A macro with its parts compiled. */
export interface MacroParts {
  readonly macro: CelMacroNode['macro'];
  readonly range: EvaluatePart;
  readonly slot: number;
  readonly test: EvaluatePart | undefined;
  readonly step: EvaluatePart | undefined;
}

const ALWAYS: EvaluatePart = () => true;

export function macro(parts: MacroParts): EvaluatePart {
  const { range, slot, test = ALWAYS, step } = parts;
  const run = step === undefined ? RUNS[parts.macro](slot, test) : collect(slot, test, step);
  return (frame) => {
    const value = range(frame);
    if (value instanceof CelError) return value;
    if (Array.isArray(value)) return run(frame, value);
    return isCelMap(value) ? run(frame, value.keys()) : noSuchOverload('a macro', value);
  };
}

type Run = (frame: EvaluationFrame, elements: Iterable<unknown>) => unknown;

/** The bool that the test gives for an element, or the error. */
function testElement(
  frame: EvaluationFrame,
  slot: number,
  element: unknown,
  test: EvaluatePart,
): unknown {
  frame.locals[slot] = element;
  const passes = test(frame);
  if (typeof passes === 'boolean' || passes instanceof CelError) return passes;
  return noSuchOverload('the test of a macro', passes);
}

/** Ends at the first `decisive`; an error counts only if no element is. */
function quantifier(decisive: boolean): (slot: number, test: EvaluatePart) => Run {
  return (slot, test) => (frame, elements) => {
    let failed: unknown;
    for (const element of elements) {
      const tooMany = frame.step(1);
      if (tooMany !== undefined) return tooMany;
      const passes = testElement(frame, slot, element, test);
      if (passes === decisive) return decisive;
      if (passes !== !decisive) failed ??= passes;
    }
    return failed ?? !decisive;
  };
}

function existsOne(slot: number, test: EvaluatePart): Run {
  return (frame, elements) => {
    let count = 0;
    for (const element of elements) {
      const tooMany = frame.step(1);
      if (tooMany !== undefined) return tooMany;
      const passes = testElement(frame, slot, element, test);
      if (passes instanceof CelError) return passes;
      if (passes === true) count++;
    }
    return count === 1;
  };
}

function collect(slot: number, test: EvaluatePart, step: EvaluatePart): Run {
  return (frame, elements) => {
    const found: unknown[] = [];
    for (const element of elements) {
      const tooMany = frame.step(1);
      if (tooMany !== undefined) return tooMany;
      const passes = testElement(frame, slot, element, test);
      if (passes instanceof CelError) return passes;
      if (passes !== true) continue;
      const value = step(frame);
      if (value instanceof CelError) return value;
      found.push(value);
    }
    return found;
  };
}

const RUNS: Readonly<Record<CelMacroNode['macro'], (slot: number, test: EvaluatePart) => Run>> = {
  all: quantifier(false),
  exists: quantifier(true),
  existsOne,
  list: (slot, test) => collect(slot, test, (frame) => frame.locals[slot]),
};
