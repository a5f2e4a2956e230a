/**
 * Whether a value is to be awaited: a promise of any library or realm, which `instanceof Promise`
 * does not recognise, by what `await` looks at. Throws what a getter named `then` throws.
 */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  );
}
