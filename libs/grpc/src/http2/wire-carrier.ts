import type { ServerInterceptingCallInterface, ServerInterceptor } from '@grpc/grpc-js';
import type { CompressionOptions } from '@apix/grpc-client/core';
import type { WrittenAnswers } from '../flow/written-answers.js';
import type { ByteLimits } from '../in-process/message-path.js';

type AuthContext = ReturnType<ServerInterceptingCallInterface['getAuthContext']>;
type ConnectionInfo = ReturnType<ServerInterceptingCallInterface['getConnectionInfo']>;

/** The connection of a call, as the call knows it. */
export interface WireCarrier {
  readonly info: ConnectionInfo;
  readonly authContext: AuthContext;
  /** The call is over, for its handler and stages. */
  ended(): void;
}

/** What all calls of a server have in common. */
export interface CallRules {
  readonly callInterceptors: readonly ServerInterceptor[];
  readonly limits: Omit<ByteLimits, 'response'>;
  readonly compression: Required<CompressionOptions> | undefined;
  readonly written: WrittenAnswers;
}
