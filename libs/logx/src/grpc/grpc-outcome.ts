import type { CallContext } from '@apix/contracts';
import type { CodeName } from '../request/code-level.js';
import type { LoggedOutcome } from '../request/level-rules.js';

/** How a gRPC call ended. */
export interface GrpcOutcome extends LoggedOutcome {
  readonly call: CallContext;
  /** Full name of the method. */
  readonly method: string;
  readonly code: CodeName;
}
