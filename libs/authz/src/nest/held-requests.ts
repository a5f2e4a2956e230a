import { grpcArguments } from '@apix/calls/nest';
import type { ExecutionContext } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { ReplaySubject, concat, defer, isObservable } from 'rxjs';
import type { Readable } from 'node:stream';

/** The requests of a stream as Nest makes them. */
interface NestRequests {
  readonly drainBuffer?: (this: void) => void;
}

/** Nest 12, of which this method is a sign, keeps what comes before the handler runs. */
const KEEPS_REQUESTS = 'registerPreRequestHook' in ApplicationConfig.prototype;

/**
 * Keeps the requests of a stream for its handler while a decision is pending. The transport of Nest
 * 11 loses them, and that they are complete, where the caller is done before its guards are; a denial
 * then throws where nothing catches it, which ends the process.
 */
// Why: docs/decisions/0234
export function holdRequests(context: ExecutionContext): void {
  if (KEEPS_REQUESTS || context.getType() !== 'rpc') return;
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
