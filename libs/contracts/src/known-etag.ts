import { headerList } from './header-list.js';

/**
 * Whether the caller has a representation with this ETag, by its `If-None-Match`: the list names it, or is `*`.
 * The comparison is weak (RFC 9110 §13.1.2).
 */
export function isKnownEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = headerList(ifNoneMatch, { separator: ',', escapes: false });
  const current = opaque(etag);
  return known.some((tag) => tag === '*' || opaque(tag) === current);
}

function opaque(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}
