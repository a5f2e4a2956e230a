import { replaceMethod } from './replace-method.js';

/**
 * Replaces a method of one object by one made from it; `original` is bound to the object. The
 * returned function undoes it.
 */
export function wrapMethod<T extends object, K extends keyof T & string>(
  target: T,
  name: K,
  make: (original: T[K] & object) => T[K] & object,
): () => void {
  const method = target[name] as (...args: unknown[]) => unknown;
  return replaceMethod(target, name, make(method.bind(target) as T[K] & object));
}
