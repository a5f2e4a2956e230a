import { type InProcessServer, type InProcessSettings } from '@apix/calls';
import { IN_PROCESS_SETTINGS } from '@apix/calls/internal';
import { checkedOptions } from '@apix/contracts/internal';
import { InProcessTransport } from '@apix/grpc-client/transport';
import { GatewayConfigError } from '../errors.js';
import type { Upstream } from './upstream.js';

/**
 * Makes calls to a gRPC server of this process, such as the `GrpcServer` of `@apix/grpc`, without
 * a socket, with messages that are copied rather than encoded.
 *
 * @throws GatewayConfigError that lists what is wrong with the options.
 */
export function inProcessUpstream(
  server: InProcessServer,
  options: InProcessSettings = {},
): Upstream {
  const settings = checkedOptions(
    IN_PROCESS_SETTINGS,
    options,
    (found) => new GatewayConfigError(found),
  );
  return new InProcessTransport(server, settings);
}
