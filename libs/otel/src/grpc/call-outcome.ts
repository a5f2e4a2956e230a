import { type CallOutcome, Code, codeName, type ServedOutcome } from '@apix/contracts';
import { thrownError } from '@apix/contracts/internal';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { ERROR_TYPE, RPC_STATUS_CODE } from '../names.js';
import { recordException } from '../tracing/span-failure.js';

/** Whether a call with this code has failed, as one end sees it. */
type FailureRule = (code: Code) => boolean;

const SERVERS_FAULT: ReadonlySet<Code> = new Set([
  Code.UNKNOWN,
  Code.DEADLINE_EXCEEDED,
  Code.UNIMPLEMENTED,
  Code.INTERNAL,
  Code.UNAVAILABLE,
  Code.DATA_LOSS,
]);

/** For a server: the codes that are its own fault, by the semantic conventions for gRPC. */
export const failedAtServer: FailureRule = (code) => SERVERS_FAULT.has(code);

/** As the server sees it; a caller that has left was not refused. */
export function servedOutcomeOf(code: Code): ServedOutcome {
  if (failedAtServer(code)) return 'failed';
  return code === Code.OK || code === Code.CANCELLED ? 'ok' : 'refused';
}

/** For a client: everything but an answer. */
export const failedAtClient: FailureRule = (code) => code !== Code.OK;

/** Writes on a span that is recorded how its call ended. */
export function recordOutcome(
  span: Span,
  { code, message, error }: CallOutcome,
  hasFailed: FailureRule,
): void {
  const name = codeName(code);
  span.setAttribute(RPC_STATUS_CODE, name);
  // Why: docs/decisions/0284
  if (!hasFailed(code)) return;
  span.setAttribute(ERROR_TYPE, name);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
  if (error !== undefined) recordException(span, thrownError(error));
}
