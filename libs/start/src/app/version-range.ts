/** A sign, and the one to three numbers of a version; `5.x` is written like `5`. */
const VERSION = /^([\^~]?)[=v\s]*(\d+)(?:\.(\d+))?(?:\.(\d+))?[.x*]*(?:[-+]\S*)?$/;

/**
 * Whether a range of a package.json may be satisfied by a version that `needed`, such as `^6.0.0`, allows. A range
 * that is not written with one version, such as `latest` or `workspace:*`, may be.
 */
export function mayOverlap(range: string, needed: string): boolean {
  const [floor, own] = [parsed(needed), parsed(range)];
  if (floor === undefined || own === undefined) return true;
  if (own.numbers[0] !== floor.numbers[0]) return false;
  if (own.sign === '^') return true;
  const fixed = own.numbers.slice(0, own.sign === '~' ? 2 : 3);
  const differing = fixed.findIndex((number, place) => number !== floor.numbers[place]);
  return differing < 0 || fixed[differing]! > floor.numbers[differing]!;
}

function parsed(range: string): { sign: string; numbers: readonly number[] } | undefined {
  const [, sign, ...parts] = VERSION.exec(range) ?? [];
  if (sign === undefined) return undefined;
  return { sign, numbers: parts.filter((part) => part !== undefined).map(Number) };
}
