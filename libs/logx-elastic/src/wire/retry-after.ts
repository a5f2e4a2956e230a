/** Longer values are not plausible, and a node's clock may be wrong. */
const MAX_MS = 300_000;

/** The value of a Retry-After header (RFC 9110 §10.2.3) in milliseconds, at most five minutes; 0 without one. */
export function retryAfterOf(header: string | readonly string[] | undefined, now: number): number {
  if (typeof header !== 'string') return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return ms > 0 ? Math.min(ms, MAX_MS) : 0;
}
