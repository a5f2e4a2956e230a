import type { Duration } from '@apix/contracts';
import {
  choice,
  duration,
  foreignObject,
  option,
  type OptionTable,
  withDefault,
} from '@apix/contracts/internal';
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

/** The allowed values of the options of a connection. */
export const CONNECTION_OPTIONS = {
  // Checked as grpc-js does, which also refuses credentials of another copy of itself.
  credentials: option<ChannelCredentials>(
    'ChannelCredentials of @grpc/grpc-js',
    (value) => value instanceof ChannelCredentials,
  ),
  channelOptions: foreignObject<ChannelOptions>(),
  // gRPC's MIN_CONNECT_TIMEOUT (connection-backoff.md).
  connectTimeout: withDefault(duration({ min: 1 }), 20_000),
  stack: choice<Stack>(['auto', 'http2', 'grpc-js']),
} satisfies OptionTable<ConnectionOptions>;
