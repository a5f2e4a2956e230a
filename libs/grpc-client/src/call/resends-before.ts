import type { Metadata } from '@grpc/grpc-js';

/** Under which key grpc-js says of an answer how many attempts came before it (gRFC A6). */
const PREVIOUS_ATTEMPTS = 'grpc-previous-rpc-attempts';

/** How many attempts came before the one that was answered with this metadata. */
export function resendsBefore(metadata: Metadata): number {
  const [value] = metadata.get(PREVIOUS_ATTEMPTS);
  // A server may say anything.
  return typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
}
