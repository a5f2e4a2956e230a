const MAX_LENGTH = 128;
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The request id that a caller sent, if it can be passed on and written everywhere: 1 to 128 visible
 * ASCII characters. Undefined for anything else (too long, blanks, control characters, several
 * values). Every entry point asks this one function, so that a request has one id throughout.
 */
export function acceptedRequestId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  return VISIBLE_ASCII.test(value) ? value : undefined;
}
