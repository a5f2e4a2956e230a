import type { CallServer } from '@apix/calls';

/** Whether calls get through: see {@link CallTransport.state}. */
export type ChannelState = 'idle' | 'connecting' | 'ready' | 'failing' | 'closed';

/**
 * How calls get to a server: over a network, or to a server of this process. All four kinds of
 * method are one kind of call here: requests, and answers that are read one by one.
 */
// Why: docs/decisions/0160
export interface CallTransport extends CallServer {
  /** The target of the calls, for messages and metrics: the endpoint, or `in-process`. */
  readonly target: string;
  /** The implementation that carries the calls over a network. Default: none, in-process. */
  readonly stack?: 'http2' | 'grpc-js' | undefined;
  /** Whether requests may be encoded bytes. Default: no, only messages. */
  readonly takesWire?: boolean;
  /** Whether messages cannot be read or changed on the way: TLS, or in-process. */
  readonly isSecure: boolean;
  /**
   * `idle`: not connected, because no call has needed a connection since the start, or since the last one was
   * closed; `failing`: the last attempt has failed.
   */
  readonly state: ChannelState;
  /**
   * Connects, and resolves when calls get through.
   *
   * @throws Error when they do not before the deadline, milliseconds since the epoch, or when the transport is
   * closed.
   */
  waitForReady(deadline: number): Promise<void>;
  /**
   * Reads certificates again. Default: there are none.
   *
   * @throws GrpcSetupError if they are invalid; the existing ones then remain in use.
   */
  reload?(): void;
  /**
   * Takes no further calls, which end as UNAVAILABLE, as do those that wait for a connection; connections are closed
   * once the calls under way have ended.
   */
  close(): void;
}
