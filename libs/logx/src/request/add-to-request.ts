import type { CallContext } from '@apix/contracts';
import { recordBehind, recordInContext } from './request-record.js';

/**
 * Adds fields to the one event of the request under way, such as who asked. A field of the
 * event's own (`status`, `duration_ms`, …) stays as it is. Does nothing outside of requests. To add
 * them to all later events of the request, call `assign`.
 *
 * @param call for code that runs at the door of a gRPC call and has no context yet, such as the
 * `onDecision` of authz. Default: the request that the current code runs in.
 */
export function addToRequest(fields: Readonly<Record<string, unknown>>, call?: CallContext): void {
  const record = recordBehind(call) ?? recordInContext();
  if (record !== undefined) record.extra = { ...record.extra, ...fields };
}
