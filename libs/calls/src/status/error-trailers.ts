import type { Metadata } from '@grpc/grpc-js';
import { STATUS_DETAILS_KEY, encodeStatus } from './encode-status.js';
import type { StatusError } from '@apix/contracts';

/**
 * Puts an error's trailers and typed details on metadata. Values that gRPC cannot carry are left out (an
 * illegal key, a line break in a value): the status itself must arrive in any case.
 */
export function writeTrailers(
  { code, message, details, trailers }: StatusError,
  to: Metadata,
): void {
  attempt(() => {
    for (const [key, value] of Object.entries(trailers ?? {})) {
      attempt(() => to.set(key, value));
    }
  });
  attempt(() => {
    if (details.length > 0) to.set(STATUS_DETAILS_KEY, encodeStatus(code, message, details));
  });
}

function attempt(set: () => void): void {
  try {
    set();
  } catch {
    // The code and the message say enough.
  }
}
