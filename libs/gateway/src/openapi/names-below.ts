/** Of dotted names those below a field, without its own name. */
export function namesBelow(names: ReadonlySet<string>, field: string): ReadonlySet<string> {
  const inside = [...names].filter((name) => name.startsWith(`${field}.`));
  return new Set(inside.map((name) => name.slice(field.length + 1)));
}
