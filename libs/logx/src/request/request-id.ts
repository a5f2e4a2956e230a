import { acceptedRequestId } from '@apix/contracts/internal';
import { newId } from '../context/new-id.js';

/** A generator of ids that never throws and whose ids can be written through. */
export function safeGenerator<T>(
  generate: ((subject: T) => string) | undefined,
): (subject: T) => string {
  if (generate === undefined) return newId;
  return (subject) => {
    try {
      return acceptedRequestId(generate(subject)) ?? newId();
    } catch {
      return newId();
    }
  };
}
