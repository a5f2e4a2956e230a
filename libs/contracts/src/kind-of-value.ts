/** Whether a value is an Error; one that cannot be read, such as a revoked proxy, is not. */
export function isReadableError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

/**
 * Whether a value is an object literal, or an object without a prototype. One that cannot be read, such as a
 * revoked proxy, is not.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
  } catch {
    return false;
  }
}

/**
 * Whether a value is to be awaited: a promise of any library or realm, which `instanceof Promise`
 * does not recognise. Throws what a getter named `then` throws.
 */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}
