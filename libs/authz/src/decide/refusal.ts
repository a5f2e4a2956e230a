import { Code } from '@apix/contracts';
import type { DenyReason } from './decision.js';

/** The reason why calls are refused, and the text for their callers: the same for every refused call. */
export interface Refusal {
  readonly reason: DenyReason;
  readonly code: Code;
  readonly message: string;
}

/** The caller did not say who it is. HTTP 401. */
export const ANONYMOUS: Refusal = {
  reason: 'anonymous',
  code: Code.UNAUTHENTICATED,
  message: 'credentials are missing',
};

/** The caller is known and may not do this. HTTP 403. */
export function permissionDenied(reason: DenyReason, message: string): Refusal {
  return { reason, code: Code.PERMISSION_DENIED, message };
}
