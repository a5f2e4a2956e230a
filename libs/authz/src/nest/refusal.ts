import { httpExceptionOf } from '@apix/calls/nest';
import { isStatusError } from '@apix/contracts';
import type { ExecutionContext } from '@nestjs/common';
import { graphqlExceptionOf } from './graphql-exception.js';
import { wsExceptionOf } from './ws-exception.js';

/**
 * Refuses a call in the form that its caller understands. Messages and gRPC get the StatusError itself. All
 * others get the exception that the app's own guards would throw, because filters of the app that are bound
 * to a handler come before ours and do not know StatusError.
 *
 * @returns a promise of false if only Nest can create the answer.
 * @throws or rejects otherwise.
 */
export function refuseCaller(context: ExecutionContext, error: unknown): Promise<false> {
  const type = context.getType<string>();
  if (type === 'rpc' || !isStatusError(error)) throw error;
  if (type === 'graphql') throw graphqlExceptionOf(error);
  if (type !== 'ws') throw httpExceptionOf(error);
  return wsExceptionOf(error, context).then((exception) => {
    if (exception !== undefined) throw exception;
    return false;
  });
}
