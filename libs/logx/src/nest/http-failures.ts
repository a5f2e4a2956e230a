import type { ArgumentsHost } from '@nestjs/common';
import { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { recordOf } from '../request/request-record.js';

type Next = ExceptionsHandler['next'];

const OBSERVED = Symbol.for('apix.logx.ObservedFailures');

/**
 * Has every error that reaches Nest's exception layer noted on its request, whichever filter
 * handles it. Nest offers no way to see the errors that a filter of the app's own takes, be it
 * bound to a handler, a controller or the app; so this wraps the method that picks the filter,
 * once a process.
 */
export function observeHttpFailures(): void {
  const prototype: { next: Next & { [OBSERVED]?: true } } = ExceptionsHandler.prototype;
  const { next } = prototype;
  if (next[OBSERVED] === true) return;
  const observed: Next = function (this: ExceptionsHandler, exception, host) {
    noteFailure(exception, host);
    next.call(this, exception, host);
  };
  // Why: docs/decisions/0091
  prototype.next = Object.assign(observed, { [OBSERVED]: true as const });
}

function noteFailure(exception: unknown, host: ArgumentsHost): void {
  const request = host.getArgByIndex<{ readonly raw?: object } | undefined>(0);
  if (typeof request === 'object') recordOf(request.raw ?? request)?.fail(exception);
}
