import type { CallTransport, ChannelState } from './call-transport.js';
import type { Call, CallHead, CallListener } from '@apix/calls';
import type { ChannelSettings } from './channel-settings.js';
import { grpcJsWay } from './grpc-js-way.js';
import { http2Way } from './http2-way.js';
import { type NetworkCarrier, carrierOf } from './network-way.js';
import type { ReadyOutcome } from './readiness.js';
import { refusedCall } from './refused-call.js';
import { stackFor } from './stack.js';

/**
 * Makes calls over a connection, which the first of them opens, and over more of them where there are many at a
 * time or many are cancelled.
 */
export class NetworkTransport implements CallTransport {
  readonly takesWire = true;
  readonly target: string;
  readonly isSecure: boolean;
  /** The implementation that carries the calls. */
  readonly stack: 'http2' | 'grpc-js';
  readonly #carrier: NetworkCarrier;
  readonly #certificates: ChannelSettings['certificates'];

  constructor(settings: ChannelSettings) {
    const { endpoint, credentials, certificates, connectTimeoutMs, stack = 'grpc-js' } = settings;
    this.#certificates = certificates;
    this.target = endpoint;
    this.isSecure = credentials._isSecure();
    this.stack =
      stack === 'auto'
        ? stackFor({ ...settings, hasCertificates: certificates !== undefined })
        : stack;
    this.#carrier =
      this.stack === 'http2'
        ? carrierOf(http2Way(settings), connectTimeoutMs)
        : carrierOf(grpcJsWay(settings), connectTimeoutMs);
  }

  /** That of the connection which new calls go over. */
  get state(): ChannelState {
    return this.#carrier.connections.current.state;
  }

  open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
  ): Call {
    // grpc-js throws for a call of a closed channel.
    if (this.#carrier.connections.isClosed) return refusedCall(listener);
    return this.#carrier.open(head, listener);
  }

  waitForReady(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (outcome: ReadyOutcome): void => {
        if (outcome === 'ready') resolve();
        else if (outcome === 'closed') reject(new Error('grpc: the client is closed'));
        else reject(new Error(`grpc: no connection to ${this.target} in time`));
      };
      this.#carrier.connections.current.whenReady({ deadline, holdsProcess: true, done });
    });
  }

  reload(): void {
    this.#certificates?.reload();
  }

  close(): void {
    this.#carrier.connections.close();
  }
}
