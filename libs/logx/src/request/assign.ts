import type { CallContext } from '@apix/contracts';
import { unitInContext } from '../context/work.js';
import { recordBehind, recordInContext } from './request-record.js';
import { shownFields } from '../value/members-of.js';

/**
 * Adds fields to all later events of the request, call, message, hosted service or run of a job in
 * progress, including the event at its end; it can be called anywhere in that work, and the last value of a
 * name counts. Loggers of `fromContext()` and `@InjectLogger` have the fields; a logger that was kept from
 * before, or created from another, does not. Does nothing outside of any work.
 *
 * @param call for code at the entry point of a gRPC call that has no context yet, such as the `onDecision`
 *   of authz. Default: the work that the current code runs in.
 */
export function assign(fields: Readonly<Record<string, unknown>>, call?: CallContext): void {
  (recordBehind(call) ?? unitInContext())?.assign(fields);
}

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
