import { Channel, type ChannelCredentials, type ChannelOptions } from '@grpc/grpc-js';
import { readSpacedEncodings } from '../../patches/accepted-by-server.js';
import type {
  CallTransport,
  ChannelState,
  TransportCall,
  TransportHead,
  TransportListener,
} from './call-transport.js';
import { ChannelCall } from './channel-call.js';
import type { ReadyOutcome } from './readiness.js';
import { refusedCall } from './refused-call.js';
import { ServerConnections } from './server-connections.js';

/** What the channels of grpc-js to one server are made of. */
export interface ChannelSettings {
  readonly endpoint: string;
  readonly credentials: ChannelCredentials;
  readonly channelOptions: ChannelOptions;
  /** Shorter requests are not compressed, where requests are; in bytes. Default: 0. */
  readonly compressFromBytes?: number | undefined;
  /** How long calls wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Those that the credentials are made of, where they can be read again. */
  readonly certificates?: { reload(): void } | undefined;
}

// Why: docs/decisions/0271
/** Else grpc-js shares one among the channels of a process with the same target and options. */
const OWN_CONNECTION = { 'grpc.use_local_subchannel_pool': 1 };

/**
 * Makes calls over a connection of grpc-js, which the first of them opens, and over more of them where there
 * are many at a time or many are cancelled.
 */
export class NetworkTransport implements CallTransport {
  readonly takesWire = true;
  readonly target: string;
  readonly isSecure: boolean;
  readonly #connections: ServerConnections;
  readonly #certificates: ChannelSettings['certificates'];
  readonly #compressFromBytes: number;

  constructor(settings: ChannelSettings) {
    const { endpoint, credentials, channelOptions, connectTimeoutMs, certificates } = settings;
    const options = { ...channelOptions, ...OWN_CONNECTION };
    const isCompressing = Boolean(channelOptions['grpc.default_compression_algorithm']);
    this.#certificates = certificates;
    this.#compressFromBytes = settings.compressFromBytes ?? 0;
    this.target = endpoint;
    this.isSecure = credentials._isSecure();
    this.#connections = new ServerConnections(() => {
      const channel = new Channel(endpoint, credentials, options);
      if (isCompressing) readSpacedEncodings(channel);
      return channel;
    }, connectTimeoutMs);
  }

  /** That of the connection which new calls go over. */
  get state(): ChannelState {
    return this.#connections.current.state;
  }

  open<Written extends object = never>(
    head: TransportHead<Written>,
    listener: TransportListener<Written>,
  ): TransportCall {
    // grpc-js throws for a call of a closed channel.
    if (this.#connections.isClosed) return refusedCall(listener);
    const call = new ChannelCall(
      this.#connections.choose(),
      head,
      listener,
      this.#compressFromBytes,
    );
    call.start(head.metadata);
    return call;
  }

  waitForReady(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (outcome: ReadyOutcome): void => {
        if (outcome === 'ready') resolve();
        else if (outcome === 'closed') reject(new Error('grpc: the client is closed'));
        else reject(new Error(`grpc: no connection to ${this.target} in time`));
      };
      this.#connections.current.whenReady({ deadline, holdsProcess: true, done });
    });
  }

  reload(): void {
    this.#certificates?.reload();
  }

  close(): void {
    this.#connections.close();
  }
}
