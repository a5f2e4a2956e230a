import { noteFailure } from '@apix/contracts/grpc';
import type { Metadata } from '@grpc/grpc-js';
import type { NestHandler } from './nest-handler.js';

interface ServedCall {
  readonly metadata: Metadata;
  on(event: 'error', listener: (error: unknown) => void): void;
}
type Callback = (error: unknown, ...rest: unknown[]) => void;

/** One of Nest's whose errors the stages get to know, beside the status that the caller gets. */
export function notingFailures(handler: NestHandler): NestHandler {
  return (call, callback) => {
    const served = call as ServedCall;
    const note = (error: unknown): void => noteFailure(served.metadata, causeOf(error));
    served.on('error', note);
    const answer: Callback | undefined =
      typeof callback === 'function'
        ? (error, ...rest) => {
            if (error) note(error);
            (callback as Callback)(error, ...rest);
          }
        : undefined;
    return handler(call, answer);
  };
}

/** The exception filter answers with an error of its own, whose cause is the handler's. */
function causeOf(error: unknown): unknown {
  const status = error instanceof Error ? error.cause : undefined;
  return (status instanceof Error ? (status.cause ?? status) : undefined) ?? error;
}
