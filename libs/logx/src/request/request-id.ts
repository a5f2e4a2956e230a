import { acceptedRequestId } from '@apix/contracts';
import { newId } from '../context/new-id.js';

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
