import { CelError } from '../cel-error.js';
import type { CelNode } from '../check/cel-node.js';
import { isCelMap, mapKey, noSuchOverload } from '../values/cel-value.js';
import { equalValues, type FindMessage } from '../values/compare.js';
import type { EvaluatePart } from './frame.js';

const IDENTICAL = new Set<string>(['bool', 'int', 'string', 'null']);

/** Whether values of the types are equal exactly if `===` says so. */
function areIdentical(a: CelNode, b: CelNode): boolean {
  return a.type.kind === b.type.kind && IDENTICAL.has(a.type.kind);
}

/** `==`, or `!=` with `wanted` false. */
export function equality(
  [leftNode, left]: readonly [CelNode, EvaluatePart],
  [rightNode, right]: readonly [CelNode, EvaluatePart],
  wanted: boolean,
  find: FindMessage,
): EvaluatePart {
  if (areIdentical(leftNode, rightNode)) {
    return (frame) => {
      const a = left(frame);
      if (a instanceof CelError) return a;
      const b = right(frame);
      if (b instanceof CelError) return b;
      return (a === b) === wanted;
    };
  }
  return (frame) => {
    const a = left(frame);
    if (a instanceof CelError) return a;
    const b = right(frame);
    if (b instanceof CelError) return b;
    return equalValues(a, b, find) === wanted;
  };
}

/** `a in b`: an element of a list or a key of a map. */
export function membership(
  left: EvaluatePart,
  right: EvaluatePart,
  find: FindMessage,
): EvaluatePart {
  return (frame) => {
    const a = left(frame);
    if (a instanceof CelError) return a;
    const b = right(frame);
    if (b instanceof CelError) return b;
    if (Array.isArray(b)) {
      const tooMany = frame.step(b.length);
      if (tooMany !== undefined) return tooMany;
      if (typeof a === 'string') return b.includes(a);
      return b.some((element) => equalValues(a, element, find));
    }
    if (!isCelMap(b)) return noSuchOverload('@in', a, b);
    const key = mapKey(a);
    return key !== undefined && b.get(key) !== undefined;
  };
}
