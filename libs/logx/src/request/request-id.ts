const MAX_LENGTH = 128;
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The id that a caller sent, if it can be written through: 1 to 128 visible ASCII characters.
 * Anything else (too long, blanks, control characters, more than one value) gives undefined and
 * is replaced by the caller of this function, so that no log line or header carries it.
 */
export function acceptedRequestId(values: readonly string[]): string | undefined {
  const [value] = values;
  if (value === undefined || values.length > 1) return undefined;
  return value.length <= MAX_LENGTH && VISIBLE_ASCII.test(value) ? value : undefined;
}
