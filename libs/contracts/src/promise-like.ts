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
