import type { CallContext, StagedCall } from '@apix/contracts';
import { type RequestRecord, recordInContext, recordOfCall } from './request-record.js';

/**
 * Adds fields to the one event of the request under way, such as who asked. A field of the
 * event's own (`status`, `duration_ms`, …) stays as it is. Does nothing outside of requests.
 *
 * @param call for code that runs at the door of a gRPC call and has no context yet, such as the
 * `onDecision` of authz. Default: the request that the current code runs in.
 */
export function addToRequest(fields: Readonly<Record<string, unknown>>, call?: CallContext): void {
  const record = behind(call) ?? recordInContext();
  if (record !== undefined) record.extra = { ...record.extra, ...fields };
}

function behind(call: CallContext | undefined): RequestRecord | undefined {
  return call !== undefined && 'values' in call ? recordOfCall(call as StagedCall) : undefined;
}
