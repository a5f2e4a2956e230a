/** For each state, what each event that may happen in it leads to. */
export type Transitions<S extends string, E extends string> = {
  readonly [state in S]: Readonly<Partial<Record<E, S>>>;
};

/**
 * The state that an event leads to.
 *
 * @throws Error for an event that the table does not allow in that state: a bug of the caller.
 */
export function transition<S extends string, E extends string>(
  table: Transitions<S, E>,
  state: S,
  event: E,
): S {
  const next = table[state][event];
  if (next === undefined) throw new Error(`hostx: ${event} cannot happen while ${state}`);
  return next;
}
