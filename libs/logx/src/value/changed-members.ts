type Members = Readonly<Record<string, unknown>>;

/** The members of `after` that are not the same in `before`. */
export function changedMembers(before: Members = {}, after: Members = {}): Members {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !Object.is(before[name], value)),
  );
}
