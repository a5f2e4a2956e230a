import type { InProcessServer } from '@apix/contracts';
import { InProcessTransport } from '@apix/grpc/transport';
import type { Upstream } from './upstream.js';

/** The options of {@link inProcessUpstream}. */
export interface InProcessUpstreamOptions {
  /** The largest response message, in bytes as on the wire; -1 for no limit. Default: 4 MiB. */
  readonly maxReceiveBytes?: number | undefined;
}

/**
 * Makes calls to a gRPC server of this process, such as the `GrpcServer` of `@apix/grpc`, without
 * a socket: through its interceptors, and with messages that are copied rather than encoded.
 */
export function inProcessUpstream(
  server: InProcessServer,
  { maxReceiveBytes }: InProcessUpstreamOptions = {},
): Upstream {
  return new InProcessTransport(server, { maxReceiveBytes, forwarded: true });
}
