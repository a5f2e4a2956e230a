import { type Metadata, type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';

/** The status that ends a call on the server's side. */
export type SentStatus = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];

/**
 * The status of a handler's error, by grpc-js' own rule: its integer `code` with its `details`, UNKNOWN
 * with its message otherwise.
 */
export function answerStatus(error: unknown, trailers?: Metadata): SentStatus {
  const { code, details, message, metadata } = error as Partial<SentStatus & Error>;
  const words = typeof message === 'string' ? message : 'Unknown Error';
  const isStatus = typeof code === 'number' && Number.isInteger(code);
  return {
    code: isStatus ? code : status.UNKNOWN,
    details: isStatus && typeof details === 'string' ? details : words,
    metadata: trailers ?? metadata ?? null,
  };
}
