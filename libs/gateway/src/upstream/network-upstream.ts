import { type Duration, FORWARDED_KEY, Mistakes, shownValue } from '@apix/contracts';
import {
  ChannelCredentials,
  type ChannelOptions,
  Client,
  credentials as grpcCredentials,
} from '@grpc/grpc-js';
import { GatewayConfigError } from '../errors.js';
import { ServerConnections } from './server-connections.js';
import { NetworkCall } from './network-call.js';
import type { AnswerListener, CallHead, Upstream, UpstreamCall } from './upstream.js';

export interface NetworkUpstreamOptions {
  /** `host:port`, or any target of grpc-js. */
  readonly endpoint: string;
  /** Default: plaintext. */
  readonly credentials?: ChannelCredentials | undefined;
  /**
   * Options of the grpc-js channel. Default: `grpc.keepalive_time_ms` of 305,000, so that a
   * connection that has died in silence is noticed; the least that servers take unasked is 300,000.
   */
  readonly channelOptions?: ChannelOptions | undefined;
  /**
   * How long calls wait for a connection before they are UNAVAILABLE. A connection that is refused
   * ends them at once. Default: `20s`.
   */
  readonly connectTimeout?: Duration | undefined;
}

/** As of C++, Go and Java, which close the connections of whoever asks more often (gRFC A8, A9). */
const KEEPALIVE = { 'grpc.keepalive_time_ms': 305_000 };

/** Else grpc-js shares one among the clients of a process with the same target and options. */
const OWN_CONNECTION = { 'grpc.use_local_subchannel_pool': 1 };

/** gRPC's MIN_CONNECT_TIMEOUT (connection-backoff.md). */
const CONNECT_TIMEOUT: Duration = '20s';

/**
 * Makes calls over a connection of grpc-js, which the first of them opens, and over more of them
 * where there are many at a time or many callers go away.
 *
 * @throws GatewayConfigError that lists what is wrong with the options.
 */
export function networkUpstream(options: NetworkUpstreamOptions): Upstream {
  const mistakes = new Mistakes();
  mistakes.text('endpoint', options.endpoint);
  const connectTimeoutMs = checkConnection(options, mistakes);
  mistakes.throwIfAny((found) => new GatewayConfigError(found));
  return new NetworkUpstream(options, connectTimeoutMs);
}

/**
 * Notes what is wrong with the options of a connection, whose endpoint may be known later.
 *
 * @returns how long calls wait for it, in milliseconds.
 */
export function checkConnection(
  { credentials, channelOptions, connectTimeout }: Omit<NetworkUpstreamOptions, 'endpoint'>,
  mistakes: Mistakes,
): number {
  // As grpc-js asks, which accepts none of another copy of itself either.
  if (credentials !== undefined && !isCredentials(credentials)) {
    const given = shownValue(credentials);
    mistakes.add('credentials', `must be ChannelCredentials of @grpc/grpc-js, not ${given}`);
  }
  if (
    channelOptions !== undefined &&
    (typeof channelOptions !== 'object' || channelOptions === null)
  ) {
    mistakes.add('channelOptions', `must be an object, not ${shownValue(channelOptions)}`);
  }
  return mistakes.duration('connectTimeout', connectTimeout ?? CONNECT_TIMEOUT, { min: 1 });
}

/** Options of the channel with the defaults of a gateway. */
export function channelOptionsOf(given: ChannelOptions | undefined): ChannelOptions {
  return { ...KEEPALIVE, ...given };
}

function isCredentials(value: unknown): boolean {
  return value instanceof ChannelCredentials;
}

class NetworkUpstream implements Upstream {
  readonly transport = 'network';
  readonly takesWire = true;
  readonly #connections: ServerConnections;

  constructor(
    { endpoint, credentials, channelOptions }: NetworkUpstreamOptions,
    connectTimeoutMs: number,
  ) {
    const chosen = credentials ?? grpcCredentials.createInsecure();
    const options = { ...channelOptionsOf(channelOptions), ...OWN_CONNECTION };
    this.#connections = new ServerConnections(
      () => new Client(endpoint, chosen, options),
      connectTimeoutMs,
    );
  }

  open(
    { method, fullName, metadata, timeoutMs }: CallHead,
    listener: AnswerListener,
  ): UpstreamCall {
    const deadline = timeoutMs === undefined ? Infinity : Date.now() + timeoutMs;
    const connection = this.#connections.choose();
    const call = new NetworkCall({ method, fullName }, deadline, connection, listener);
    metadata.set(FORWARDED_KEY, '1');
    call.start(metadata);
    return call;
  }

  isConnected(): boolean {
    return this.#connections.current.isReady;
  }

  waitForReady(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { current } = this.#connections;
      current.whenReady(deadline, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): void {
    this.#connections.close();
  }
}
