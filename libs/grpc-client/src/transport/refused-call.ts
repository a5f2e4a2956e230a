import { Metadata, status } from '@grpc/grpc-js';
import type { TransportCall, TransportListener } from './call-transport.js';

/** A call of a client that is closed: it ends as UNAVAILABLE. */
export function refusedCall(listener: Pick<TransportListener, 'onEnd'>): TransportCall {
  queueMicrotask(() => {
    const details = 'the client is closed';
    listener.onEnd({
      status: { code: status.UNAVAILABLE, details, metadata: new Metadata() },
      fromServer: false,
    });
  });
  return { send() {}, halfClose() {}, read() {}, cancel() {} };
}
