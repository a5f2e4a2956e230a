import type { CallContext } from '@apix/contracts';
import { shownFields } from '../value/members-of.js';
import { recordBehind, recordInContext } from './request-record.js';

/**
 * Adds fields to the one event of the request under way, such as the caller. The event's own fields
 * (`status`, `duration_ms`, …) are not changed. Does nothing outside of requests. To add them to all later
 * events of the request, call `assign`.
 *
 * @param call for code at the entry point of a gRPC call that has no context yet, such as the `onDecision`
 *   of authz. Default: the request that the current code runs in.
 */
export function addToRequest(fields: Readonly<Record<string, unknown>>, call?: CallContext): void {
  (recordBehind(call) ?? recordInContext())?.addToEvent(shownFields(fields));
}
