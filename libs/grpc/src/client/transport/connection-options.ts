import { type Duration, type Mistakes, shownValue } from '@apix/contracts';
import { ChannelCredentials, type ChannelOptions } from '@grpc/grpc-js';
import type { Stack } from './stack.js';

/** How the connections to a server are made. */
export interface ConnectionOptions {
  /** Default: plaintext. */
  readonly credentials?: ChannelCredentials | undefined;
  /**
   * Options of the grpc-js channel. Default: `grpc.keepalive_time_ms` of 305,000, so that a
   * connection that has died in silence is noticed; the least that servers take unasked is 300,000.
   */
  readonly channelOptions?: ChannelOptions | undefined;
  /**
   * How long calls wait for a connection before they are UNAVAILABLE. A connection that is refused
   * ends them at once. Calls with `waitForReady` wait until their own deadline. Default: `20s`.
   */
  readonly connectTimeout?: Duration | undefined;
  /**
   * The implementation that carries the calls: `grpc-js`; `http2`, our own HTTP/2, for an endpoint of one
   * host without features that only grpc-js has; `auto`: `http2` for `host:port` and `unix:`, if no option
   * and no proxy in the environment needs grpc-js. Default: 'grpc-js'.
   */
  readonly stack?: Stack | undefined;
}

/** As in C++, Go and Java, which close the connections of clients that ping more often (gRFC A8, A9). */
export const CHANNEL_DEFAULTS: ChannelOptions = { 'grpc.keepalive_time_ms': 305_000 };

/** gRPC's MIN_CONNECT_TIMEOUT (connection-backoff.md). */
const CONNECT_TIMEOUT: Duration = '20s';

/**
 * Records the mistakes in the options of a connection.
 *
 * @returns how long calls wait for it, in milliseconds.
 */
export function checkConnection(
  { credentials, channelOptions, stack, connectTimeout = CONNECT_TIMEOUT }: ConnectionOptions,
  mistakes: Mistakes,
): number {
  // Checked as grpc-js does, which also refuses credentials of another copy of itself.
  if (credentials !== undefined && !((credentials as unknown) instanceof ChannelCredentials)) {
    const given = shownValue(credentials);
    mistakes.add('credentials', `must be ChannelCredentials of @grpc/grpc-js, not ${given}`);
  }
  if (
    channelOptions !== undefined &&
    (typeof channelOptions !== 'object' || channelOptions === null)
  ) {
    mistakes.add('channelOptions', `must be an object, not ${shownValue(channelOptions)}`);
  }
  if (stack !== undefined) mistakes.choice('stack', stack, ['auto', 'http2', 'grpc-js']);
  return mistakes.duration('connectTimeout', connectTimeout, { min: 1 });
}
