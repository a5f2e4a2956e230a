import { Metadata, status } from '@grpc/grpc-js';
import type { Call, CallListener } from '@apix/calls';

/** A call of a client that is closed: it ends as UNAVAILABLE. */
export function refusedCall(listener: Pick<CallListener, 'onEnd'>): Call {
  queueMicrotask(() => {
    const details = 'the client is closed';
    listener.onEnd({
      status: { code: status.UNAVAILABLE, details, metadata: new Metadata() },
      fromServer: false,
    });
  });
  return { send() {}, halfClose() {}, read() {}, cancel() {} };
}
