/**
 * Whether a range of a package.json may be satisfied by a version that `needed`, such as `^6.0.0`, allows. A range
 * that is not written with one version, such as `latest` or `workspace:*`, may be.
 */
export function mayMeet(range: string, needed: string): boolean {
  const [floor, own] = [partsOf(needed), partsOf(range)];
  if (floor === undefined || own === undefined || /^[<>]/.test(range)) return true;
  if (own[0] !== floor[0]) return false;
  if (range.startsWith('^')) return true;
  const places = range.startsWith('~') ? 2 : 3;
  const differing = own.slice(0, places).findIndex((part, place) => part !== floor[place]);
  return differing < 0 || own[differing]! > floor[differing]!;
}

function partsOf(range: string): number[] | undefined {
  const parts = /^[\^~<>=v\s]*(\d+)\.(\d+)\.(\d+)\S*$/.exec(range);
  return parts?.slice(1).map(Number);
}
