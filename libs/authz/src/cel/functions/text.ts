import { RE2JS } from '../../npm-install/@bufbuild/re2.js';
import { CelError } from '../cel-error.js';
import { isCelMap, noSuchOverload } from '../values/cel-value.js';

/** The number of code points, bytes, elements or entries. */
export function size(a: unknown): unknown {
  if (typeof a === 'string') return BigInt(codePoints(a));
  if (Array.isArray(a) || a instanceof Uint8Array) return BigInt(a.length);
  return isCelMap(a) ? BigInt(a.size) : noSuchOverload('size', a);
}

function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const isPair =
      (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) count--;
  }
  return count;
}

export function contains(a: unknown, b: unknown): unknown {
  if (typeof a === 'string' && typeof b === 'string') return a.includes(b);
  return noSuchOverload('contains', a, b);
}

export function startsWith(a: unknown, b: unknown): unknown {
  if (typeof a === 'string' && typeof b === 'string') return a.startsWith(b);
  return noSuchOverload('startsWith', a, b);
}

export function endsWith(a: unknown, b: unknown): unknown {
  if (typeof a === 'string' && typeof b === 'string') return a.endsWith(b);
  return noSuchOverload('endsWith', a, b);
}

/** A pattern of RE2, which takes time linear in the text; an error if it is not one. */
export function compilePattern(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return new CelError(`not a regular expression of RE2: ${why}`, error);
  }
}

export function matches(a: unknown, b: unknown): unknown {
  if (typeof a !== 'string' || typeof b !== 'string') return noSuchOverload('matches', a, b);
  const pattern = compilePattern(b);
  return pattern instanceof CelError ? pattern : pattern.test(a);
}
