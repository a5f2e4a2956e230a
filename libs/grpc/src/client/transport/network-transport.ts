import {
  Channel,
  type ChannelCredentials,
  type ChannelOptions,
  connectivityState,
} from '@grpc/grpc-js';
import { readSpacedEncodings } from '../../patches/accepted-by-server.js';
import type {
  CallTransport,
  ChannelState,
  TransportCall,
  TransportHead,
  TransportListener,
} from './call-transport.js';
import { ChannelCall } from './channel-call.js';
import { refusedCall } from './refused-call.js';

/** What a channel of grpc-js is made of. */
export interface ChannelSettings {
  readonly endpoint: string;
  readonly credentials: ChannelCredentials;
  readonly channelOptions: ChannelOptions;
  /** Shorter requests are not compressed, where requests are; in bytes. */
  readonly compressFromBytes: number;
  /** Those that the credentials are made of, where they can be read again. */
  readonly certificates: { reload(): void } | undefined;
}

const STATES: Readonly<Record<connectivityState, ChannelState>> = {
  [connectivityState.IDLE]: 'idle',
  [connectivityState.CONNECTING]: 'connecting',
  [connectivityState.READY]: 'ready',
  [connectivityState.TRANSIENT_FAILURE]: 'failing',
  [connectivityState.SHUTDOWN]: 'closed',
};

/** Makes calls over a channel of grpc-js, which connects with the first of them. */
export class NetworkTransport implements CallTransport {
  readonly target: string;
  readonly isSecure: boolean;
  readonly #channel: Channel;
  readonly #certificates: ChannelSettings['certificates'];
  readonly #compressFromBytes: number;

  constructor(settings: ChannelSettings) {
    const { endpoint, credentials, channelOptions, certificates } = settings;
    this.#certificates = certificates;
    this.#compressFromBytes = settings.compressFromBytes;
    this.target = endpoint;
    this.isSecure = credentials._isSecure();
    this.#channel = new Channel(endpoint, credentials, channelOptions);
    if (channelOptions['grpc.default_compression_algorithm']) readSpacedEncodings(this.#channel);
  }

  get state(): ChannelState {
    return STATES[this.#channel.getConnectivityState(false)];
  }

  open(head: TransportHead, listener: TransportListener): TransportCall {
    // grpc-js throws for a call of a closed channel.
    if (this.state === 'closed') return refusedCall(listener);
    const call = new ChannelCall(this.#channel, head, listener, this.#compressFromBytes);
    call.start(head.metadata);
    return call;
  }

  async waitForReady(deadline: number): Promise<void> {
    for (;;) {
      const state = this.#channel.getConnectivityState(true);
      if (state === connectivityState.READY) return;
      if (state === connectivityState.SHUTDOWN) throw new Error('grpc: the client is closed');
      await this.#changed(state, deadline);
    }
  }

  reload(): void {
    this.#certificates?.reload();
  }

  close(): void {
    this.#channel.close();
  }

  #changed(from: connectivityState, deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#channel.watchConnectivityState(from, deadline, (error) => {
        if (error === undefined) resolve();
        else reject(new Error(`grpc: no connection to ${this.target} in time`, { cause: error }));
      });
    });
  }
}
