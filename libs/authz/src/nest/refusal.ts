import { httpExceptionOf } from '@apix/calls/nest';
import { isStatusError } from '@apix/contracts';
import type { ExecutionContext } from '@nestjs/common';
import { graphqlExceptionOf } from './graphql-exception.js';
import { wsExceptionOf } from './ws-exception.js';

/**
 * Refuses a call by what its caller understands. Messages and gRPC get the StatusError as it is. All
 * others get what a guard of the app's own would throw, since filters of the app's that are bound to a
 * handler come before ours, and know no StatusError.
 *
 * @returns a promise of false where only Nest can say it.
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
