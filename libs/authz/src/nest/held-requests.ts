import { grpcArguments } from '@apix/calls/nest';
import type { ExecutionContext } from '@nestjs/common';
import { ReplaySubject, concat, defer, isObservable } from 'rxjs';
import type { Readable } from 'node:stream';
import { IS_NEST_11 } from './nest-11.js';

/** The requests of a stream as Nest makes them. */
interface NestRequests {
  readonly drainBuffer?: (this: void) => void;
}

/**
 * Keeps the requests of a stream for its handler while a decision is pending. The transport of Nest
 * 11 loses them, and that they are complete, where the caller is done before its guards are; a denial
 * then throws where nothing catches it, which ends the process.
 */
// Why: docs/decisions/0221
export function holdRequests(context: ExecutionContext): void {
  if (!IS_NEST_11 || context.getType() !== 'rpc') return;
  const args = context.getArgs<unknown[]>();
  const call = grpcArguments(args)?.call as unknown as Readable | undefined;
  const [requests] = args;
  if (call === undefined || !isObservable(requests)) return;
  const { drainBuffer } = requests as NestRequests;
  if (drainBuffer === undefined) return;
  const before = new ReplaySubject<unknown>();
  const keeping = requests.subscribe(before);
  drainBuffer();
  call.pause();
  args[0] = defer(() => {
    keeping.unsubscribe();
    before.complete();
    call.resume();
    return concat(before, requests);
  });
}
