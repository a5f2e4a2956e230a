import type { InProcessServer } from '@apix/calls';
import { checkedOptions, type OptionTable, wholeNumber } from '@apix/contracts/options';
import { InProcessTransport } from '@apix/grpc-client/transport';
import { GatewayConfigError } from '../errors.js';
import type { Upstream } from './upstream.js';

/** The options of {@link inProcessUpstream}. */
export interface InProcessUpstreamOptions {
  /** The largest response message, in bytes as on the wire; -1 for no limit. Default: 4 MiB. */
  readonly maxReceiveBytes?: number | undefined;
}

const IN_PROCESS_OPTIONS = {
  maxReceiveBytes: wholeNumber({ min: -1 }),
} satisfies OptionTable<InProcessUpstreamOptions>;

/**
 * Makes calls to a gRPC server of this process, such as the `GrpcServer` of `@apix/grpc`, without
 * a socket, with messages that are copied rather than encoded.
 *
 * @throws GatewayConfigError that lists what is wrong with the options.
 */
export function inProcessUpstream(
  server: InProcessServer,
  options: InProcessUpstreamOptions = {},
): Upstream {
  const { maxReceiveBytes } = checkedOptions(
    IN_PROCESS_OPTIONS,
    options,
    (found) => new GatewayConfigError(found),
  );
  return new InProcessTransport(server, { maxReceiveBytes });
}
