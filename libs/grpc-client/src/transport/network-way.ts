import type { Call, CallHead, CallListener } from '@apix/calls';
import type { WatchedChannel } from './readiness.js';
import type { ServerConnection } from './server-connection.js';
import { ServerConnections } from './server-connections.js';

/** The options of a call over a network: its answers are bytes, whatever else the caller could accept. */
export type NetworkHead = Pick<CallHead, 'method' | 'path' | 'metadata' | 'deadline'>;

/** An implementation of calls over a network: connections, and calls over them. */
export interface NetworkWay<C extends WatchedChannel> {
  /** Creates a channel with its own connection. */
  connect(): C;
  open(connection: ServerConnection<C>, head: NetworkHead, listener: CallListener): Call;
}

/** The calls to one server, over any implementation. */
export interface NetworkCarrier {
  readonly connections: Pick<ServerConnections<WatchedChannel>, 'current' | 'isClosed' | 'close'>;
  open(head: NetworkHead, listener: CallListener): Call;
}

/** @param timeoutMs how long calls wait for a connection, in milliseconds. */
export function carrierOf<C extends WatchedChannel>(
  way: NetworkWay<C>,
  timeoutMs: number,
): NetworkCarrier {
  const connections = new ServerConnections(() => way.connect(), timeoutMs);
  return {
    connections,
    open: (head, listener) => way.open(connections.choose(), head, listener),
  };
}
