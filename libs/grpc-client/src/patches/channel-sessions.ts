import type { ClientHttp2Session } from 'node:http2';
import type { Channel } from '@grpc/grpc-js';

/** As much of a channel of grpc-js as is relied on: a pool of its own makes all that connects. */
interface Pooling {
  readonly internalChannel?: { readonly subchannelPool?: Pool };
}

interface Pool {
  getOrCreateSubchannel(...of: unknown[]): Subchannel;
}

interface Subchannel {
  readonly connector: Connector;
}

interface Connector {
  connect(...to: unknown[]): Promise<{ readonly session: ClientHttp2Session }>;
}

/**
 * Calls back with each session that a channel opens, before the first call over it. It replaces methods of
 * this one channel's parts, so the channel must have a pool of its own (`grpc.use_local_subchannel_pool`).
 */
export function onSession(channel: Channel, opened: (session: ClientHttp2Session) => void): void {
  const pool = (channel as unknown as Pooling).internalChannel?.subchannelPool;
  if (pool === undefined) return;
  const own = Object.getPrototypeOf(pool) as Pool;
  pool.getOrCreateSubchannel = (...of) => {
    const subchannel = own.getOrCreateSubchannel.apply(pool, of);
    follow(subchannel.connector, opened);
    return subchannel;
  };
}

function follow(connector: Connector, opened: (session: ClientHttp2Session) => void): void {
  if (Object.hasOwn(connector, 'connect')) return;
  const own = Object.getPrototypeOf(connector) as Connector;
  connector.connect = async (...to) => {
    const transport = await own.connect.apply(connector, to);
    opened(transport.session);
    return transport;
  };
}
