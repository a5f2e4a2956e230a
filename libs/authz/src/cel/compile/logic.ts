import { CelError } from '../cel-error.js';
import { noSuchOverload } from '../values/cel-value.js';
import type { EvaluatePart } from './frame.js';

/** False if either is, whatever the other one is; else the error of what is no bool. */
export function and(left: EvaluatePart, right: EvaluatePart): EvaluatePart {
  return (frame) => {
    const a = left(frame);
    if (a === false) return false;
    const b = right(frame);
    if (b === false) return false;
    return a === true && b === true ? true : firstError('_&&_', a, b);
  };
}

/** True if either is, whatever the other one is; else the error of what is no bool. */
export function or(left: EvaluatePart, right: EvaluatePart): EvaluatePart {
  return (frame) => {
    const a = left(frame);
    if (a === true) return true;
    const b = right(frame);
    if (b === true) return true;
    return a === false && b === false ? false : firstError('_||_', a, b);
  };
}

function firstError(name: string, a: unknown, b: unknown): CelError {
  if (a instanceof CelError) return a;
  if (b instanceof CelError && typeof a === 'boolean') return b;
  return noSuchOverload(name, a, b);
}

export function not(operand: EvaluatePart): EvaluatePart {
  return (frame) => {
    const a = operand(frame);
    if (typeof a === 'boolean') return !a;
    return a instanceof CelError ? a : noSuchOverload('!_', a);
  };
}

export function conditional(test: EvaluatePart, yes: EvaluatePart, no: EvaluatePart): EvaluatePart {
  return (frame) => {
    const a = test(frame);
    if (a === true) return yes(frame);
    if (a === false) return no(frame);
    return a instanceof CelError ? a : noSuchOverload('_?_:_', a);
  };
}
