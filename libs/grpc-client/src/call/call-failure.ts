import type { Message } from '@bufbuild/protobuf';
import { type CallEnd } from '@apix/calls';
import { generalText, statusWith } from '@apix/calls/internal';
import {
  type CallOutcome,
  Code,
  StatusError,
  codeName,
  isCode,
  isStatusError,
  thrownText,
} from '@apix/contracts';

/** Receives the events of a call. */
export interface AnswerTaker {
  /** Once for each `read` of the call. */
  onMessage(message: Message): void;
  /** The events so far were of a failed attempt; another one follows. */
  onLost?(): void;
  /** Exactly once; without a failure where the server answered with OK. */
  onEnd(failure: CallFailure | undefined): void;
}

/** Why a call failed: as little as can be kept until the error is needed. */
export type CallFailure =
  | { readonly by: 'status'; readonly end: CallEnd }
  | { readonly by: 'client'; readonly code: Code; readonly why: string; readonly cause?: unknown }
  | { readonly by: 'thrown'; readonly error: unknown };

/** The call that failed, for the operator. */
export interface FailedCall {
  readonly path: string;
  readonly target: string;
}

/**
 * The error that a caller gets. Its message is one that a handler may answer with, as it does by not
 * catching it: that of the server, or a general one. Where and why is in its `cause`.
 */
export function errorOf(failure: CallFailure, { path, target }: FailedCall): unknown {
  if (failure.by === 'thrown') return failure.error;
  if (failure.by === 'client') {
    const { code, why } = failure;
    const detail = `grpc: ${path} at ${target}: ${codeName(code)}: ${why}`;
    const cause = 'cause' in failure ? { cause: failure.cause } : undefined;
    return new StatusError(code, generalText(code), { cause: new Error(detail, cause) });
  }
  const { status, fromServer } = failure.end;
  const code = codeOf(failure);
  const cause = new Error(`grpc: ${path} at ${target}: ${codeName(code)}: ${status.details}`);
  if (!fromServer) return new StatusError(code, generalText(code), { cause });
  return statusWith({ code, metadata: status.metadata }, status.details, cause);
}

/** The failure of a call that a signal has ended. */
export function abortFailure(reason: unknown): CallFailure {
  return { by: 'client', code: codeOfReason(reason), why: thrownText(reason), cause: reason };
}

/** The code that a failure is counted as. */
export function codeOf(failure: CallFailure): Code {
  switch (failure.by) {
    case 'client':
      return failure.code;
    case 'thrown':
      return isStatusError(failure.error) ? failure.error.code : Code.UNKNOWN;
    case 'status': {
      const { code } = failure.end.status;
      // Every number that gRPC does not have is UNKNOWN (statuscodes.md).
      return isCode(code) ? code : Code.UNKNOWN;
    }
  }
}

/** The same for stages. `cancelled`: this end gave up, or its deadline passed. */
export function stageOutcome(failure: CallFailure | undefined): CallOutcome {
  if (failure === undefined) return { code: Code.OK, message: '', cancelled: false };
  const code = codeOf(failure);
  switch (failure.by) {
    case 'status': {
      const { status, fromServer } = failure.end;
      const cancelled = !fromServer && code === Code.DEADLINE_EXCEEDED;
      return { code, message: status.details, cancelled };
    }
    case 'client':
      return { code, message: failure.why, cancelled: true };
    case 'thrown':
      return { code, message: thrownText(failure.error), error: failure.error, cancelled: true };
  }
}

function codeOfReason(reason: unknown): Code {
  if (isStatusError(reason)) return reason.code;
  return isTimeout(reason) ? Code.DEADLINE_EXCEEDED : Code.CANCELLED;
}

/** By its name: it may be an error of another realm. */
function isTimeout(reason: unknown): boolean {
  try {
    return (reason as { readonly name?: unknown } | undefined)?.name === 'TimeoutError';
  } catch {
    return false;
  }
}
