import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { SentStatus } from '../in-process/handler-call.js';
import type { HandlerListener } from '../in-process/run-handler.js';

/** In place of the handler: what the stages let in is answered with the status. */
export function refusing(
  chain: ServerInterceptingCallInterface,
  given: SentStatus,
): HandlerListener {
  return {
    onReceiveMetadata: () => chain.sendStatus(given),
    onReceiveMessage: ignore,
    onReceiveHalfClose: ignore,
    onCancel: ignore,
  };
}

function ignore(): void {
  // The call is refused.
}
