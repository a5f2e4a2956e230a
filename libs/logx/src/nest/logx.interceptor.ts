import { handlerName, noteReached } from '@apix/calls/internal-nest';
import { STAGED_PART, type StagedPart } from '@apix/contracts/internal';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { recordInContext, requestRecordOf } from '../request/request-record.js';
import { safely } from '../value/safely.js';
import { NOTED_BY_STAGE, noteCall } from './message-hook.js';
import { takeRouteLog } from './request-log.decorator.js';

/**
 * Gives the event of a request or call the class and the method of its handler, and `@RequestLog`. It returns
 * `next.handle()` untouched. Of a GraphQL operation or a WebSocket connection, the event has the first handler.
 *
 * It writes nothing: requests that a guard refuses never come here, and have events too.
 */
// Why: docs/decisions/0091
export class LogxInterceptor implements NestInterceptor {
  get [STAGED_PART](): StagedPart {
    return NOTED_BY_STAGE;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    // Other libraries may call with any argument, also with a proxy that throws.
    safely(
      () => note(context),
      () => {},
    );
    return next.handle();
  }
}

function note(context: ExecutionContext): void {
  const type: string = context.getType();
  if (type === 'http') return noteRequest(context);
  if (type === 'rpc') return void noteCall(context);
  const record = recordInContext();
  if (record === undefined || record.handler !== undefined) return;
  record.handler = handlerName(context);
  record.takeContextFields();
}

function noteRequest(context: ExecutionContext): void {
  const reached = noteReached(context);
  const record = reached && requestRecordOf(reached.raw);
  if (record === undefined) return;
  takeRouteLog(record, reached!.handler);
  record.isAdmitted = true;
  record.takeContextFields();
}
