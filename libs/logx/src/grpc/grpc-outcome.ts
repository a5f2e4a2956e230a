import type { CallContext, Code } from '@apix/contracts';
import type { LoggedOutcome } from '../request/level-rules.js';

/** The name of a code of gRPC, such as `NOT_FOUND`. */
export type CodeName = keyof typeof Code;

/** How a gRPC call ended. */
export interface GrpcOutcome extends LoggedOutcome {
  readonly call: CallContext;
  /** Full name of the method. */
  readonly method: string;
  readonly code: CodeName;
}
