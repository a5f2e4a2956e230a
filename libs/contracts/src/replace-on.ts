type ReplacedMethod = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Replaces a method of one object by one made from it. The returned function undoes it; if other code has
 * replaced the method since, ours stays in place and passes every call on to the original.
 */
export function replaceOn<T extends object, K extends keyof T>(
  target: T,
  name: K,
  make: (original: NonNullable<T[K]>) => NonNullable<T[K]>,
): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  const original = methodOf(target, name);
  let method = make(original as NonNullable<T[K]>) as ReplacedMethod;
  const value: ReplacedMethod = function (...args) {
    return method.apply(this, args);
  };
  const enumerable = own?.enumerable ?? false;
  Object.defineProperty(target, name, { value, enumerable, configurable: true, writable: true });
  return () => {
    method = original as ReplacedMethod;
    if (methodOf(target, name) !== value) return;
    if (own === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, own);
  };
}

/** As it is kept: a Nest app gives out another function, which calls the method by its name. */
function methodOf(target: object, name: PropertyKey): unknown {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at) as object) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found !== undefined) return found.value;
  }
  return undefined;
}
