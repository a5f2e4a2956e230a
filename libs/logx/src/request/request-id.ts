import { newId } from '../context/new-id.js';

const MAX_LENGTH = 128;
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The id that a caller sent, if it can be written through: 1 to 128 visible ASCII characters.
 * Anything else (too long, blanks, control characters, several values) gives undefined, so that
 * no log line or header carries it.
 */
export function acceptedRequestId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  return VISIBLE_ASCII.test(value) ? value : undefined;
}

/** A generator of ids that never throws and whose ids can be written through. */
export function safeGenerator(generate: (() => string) | undefined): () => string {
  if (generate === undefined) return newId;
  return () => {
    try {
      return acceptedRequestId(generate()) ?? newId();
    } catch {
      return newId();
    }
  };
}
