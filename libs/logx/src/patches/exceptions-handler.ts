import { statusErrorIn } from '@apix/calls/nest';
import { type StatusError } from '@apix/contracts';
import { replaceOn } from '@apix/contracts/internal';
import type { ArgumentsHost } from '@nestjs/common';
import { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { requestRecordOf } from '../request/request-record.js';
import { safely } from '../value/safely.js';

type Next = ExceptionsHandler['next'];

/** Kept on the method, so that two copies of this package in a process share one patch. */
const PATCH = Symbol.for('apix.logx.ObservedFailures');

interface Patch {
  users: number;
  readonly undo: () => void;
}

type Patched = Next & { [PATCH]?: Patch };

/**
 * Records every error that reaches Nest's exception layer on its request, independently of the filter that
 * handles it. Nest offers no way to see the errors that a filter of the app handles, whether bound to a
 * handler, a controller or the app; so this wraps the method that selects the filter, once per process for
 * all apps that use it.
 *
 * @returns a function that restores the method with the last user; if other code has wrapped it since, it
 *   stays in place and passes everything on.
 */
export function observeHttpFailures(): () => void {
  const prototype: { next: Patched } = ExceptionsHandler.prototype;
  const found = prototype.next[PATCH];
  // One without users was undone; what has wrapped it may have taken the mark over.
  const patch = found === undefined || found.users === 0 ? install(prototype) : found;
  patch.users++;
  let isUsed = true;
  return () => {
    if (!isUsed) return;
    isUsed = false;
    patch.users--;
    if (patch.users === 0) patch.undo();
  };
}

function install(prototype: { next: Patched }): Patch {
  // Why: docs/decisions/0091
  const undo = replaceOn(prototype, 'next', (next) => {
    return function (this: ExceptionsHandler, exception, host) {
      noteFailure(exception, host);
      next.call(this, exception, host);
    };
  });
  const patch: Patch = { users: 0, undo };
  Object.assign(prototype.next, { [PATCH]: patch });
  return patch;
}

function noteFailure(exception: unknown, host: ArgumentsHost): void {
  const request = host.getArgByIndex<{ readonly raw?: object } | null | undefined>(0);
  if (typeof request === 'object' && request !== null) {
    const record = requestRecordOf(request.raw ?? request);
    if (record === undefined) return;
    record.fail(statusErrorOf(exception) ?? exception);
    // Of a guard: this is the last place inside the request.
    if (!record.isAdmitted) record.takeContextFields();
  }
}

function statusErrorOf(exception: unknown): StatusError | undefined {
  return safely(
    () => statusErrorIn(exception),
    () => undefined,
  );
}
