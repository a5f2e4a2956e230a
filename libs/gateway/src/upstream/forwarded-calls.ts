import { FORWARDED_KEY } from '@apix/contracts';
import type { TransportCall, TransportHead, TransportListener } from '@apix/grpc-client/transport';
import { PassingTransport } from './passing-transport.js';

/** Marks every call over a network as made on behalf of another caller. */
export class ForwardedCalls extends PassingTransport {
  override open<Written extends object = never>(
    head: TransportHead<Written>,
    listener: TransportListener<Written>,
  ): TransportCall {
    head.metadata.set(FORWARDED_KEY, '1');
    return this.transport.open(head, listener);
  }
}
