const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The path of a request target, without the query, which may hold secrets. */
export function pathOf(target: string | undefined): string {
  if (target === undefined) return '';
  const from = target.charCodeAt(0) === 47 ? target : target.replace(ABSOLUTE, '');
  const end = from.indexOf('?');
  const path = end < 0 ? from : from.slice(0, end);
  return path === '' ? '/' : path;
}
