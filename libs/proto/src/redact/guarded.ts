/** What error texts have instead of a value that its field does not show. */
export const HIDDEN_PROBLEM = 'not a valid value, which is not shown because of debug_redact';

/**
 * Returns a reader or writer of a field's value whose errors do not repeat the value, if it is `hidden`: any
 * error is replaced by that of `fail`.
 *
 * @param begin is called before, and its result is passed to `fail`.
 */
export function guarded<A extends readonly unknown[], R, S>(
  hidden: boolean,
  run: (...args: A) => R,
  begin: (...args: A) => S,
  fail: (state: S, ...args: A) => never,
): (...args: A) => R {
  if (!hidden) return run;
  return (...args) => {
    const state = begin(...args);
    try {
      return run(...args);
    } catch {
      return fail(state, ...args);
    }
  };
}
