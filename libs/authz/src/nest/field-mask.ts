import { grpcArguments } from '@apix/calls/internal-nest';
import { STAGED_PART, type StagedPart } from '@apix/contracts/internal';
import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { Authorizer } from '../decide/authorizer.js';
import { admissionIn } from './admissions.js';
import type { Handler } from './policy-metadata.js';
import { handlerNameOf } from './handler-policies.js';

const NOT_FOR_CALLS: StagedPart = {};

/**
 * Hides fields of the messages that hand-written handlers return, of HTTP, messages, WebSockets and GraphQL. Answers of
 * gRPC calls pass the call stage instead.
 */
export class FieldMask implements NestInterceptor {
  get [STAGED_PART](): StagedPart {
    return NOT_FOR_CALLS;
  }

  constructor(private readonly authorizer: Authorizer) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const answers = next.handle();
    if (isGrpc(context)) return answers;
    return answers.pipe(
      map((value: unknown) => {
        const name = handlerNameOf(context.getClass(), (context.getHandler() as Handler).name);
        return this.authorizer.mask(value, admissionIn(context)?.subject ?? null, name);
      }),
    );
  }
}

function isGrpc(context: ExecutionContext): boolean {
  return context.getType() === 'rpc' && grpcArguments(context.getArgs()) !== undefined;
}
