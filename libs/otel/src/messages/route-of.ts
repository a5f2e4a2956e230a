/** As Nest writes the pattern of a message that is an object: with its keys in order. */
export function routeOf(pattern: unknown): string {
  if (typeof pattern !== 'object' || pattern === null) return String(pattern);
  const entries = Object.entries(pattern)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([key, value]) => `${JSON.stringify(key)}:${valueOf(value)}`);
  return `{${entries.join(',')}}`;
}

function valueOf(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : routeOf(value);
}
