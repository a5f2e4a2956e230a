import { grpcArguments } from '@apix/calls/nest';
import { stagedCallOf } from '@apix/contracts';
import type { PreRequestHook } from '@nestjs/common';
import { Observable, tap } from 'rxjs';
import { runWithLogger } from '../context/logger-context.js';
import { newId } from '../context/new-id.js';
import type { Logger } from '../logger/logger.js';
import { DEFAULT_ID_FIELD } from '../request/door-options.js';
import { recordOfCall } from '../request/request-record.js';
import { handlerName, isInfrastructure } from './handler.guard.js';

/**
 * Runs around the guards, pipes, interceptors and handler of a message: gives it an id and a
 * logger. A gRPC call has both from the call chain; its record gets the handler and what failed.
 */
export function messageHook(root: Logger): PreRequestHook {
  return (context, next) => {
    const metadata = grpcArguments(context.getArgs())?.call.metadata;
    const record = recordOfCall(stagedCallOf(metadata));
    if (record !== undefined) {
      record.handler = handlerName(context);
      record.isProbe = isInfrastructure(context);
      record.takeContextFields();
      return next().pipe(tap({ error: (error: unknown) => void record.fail(error) }));
    }
    const handler = handlerName(context);
    const logger = root.forContextValues({ [DEFAULT_ID_FIELD]: newId(), handler });
    return new Observable((subscriber) =>
      runWithLogger(logger, () => next().subscribe(subscriber)),
    );
  };
}
