import { Mistakes, type OutgoingStage } from '@apix/contracts';
import {
  CHANNEL_DEFAULTS,
  type ConnectionOptions,
  NetworkTransport,
  checkConnection,
  checkStack,
} from '@apix/grpc/transport';
import { credentials as grpcCredentials } from '@grpc/grpc-js';
import { GatewayConfigError } from '../errors.js';
import { ForwardedCalls } from './forwarded-calls.js';
import { StagedCalls } from './staged-calls.js';
import type { Upstream } from './upstream.js';

/** The options of {@link networkUpstream}. */
export interface NetworkUpstreamOptions extends ConnectionOptions {
  /** `host:port`, or any target of grpc-js. */
  readonly endpoint: string;
  /** What every call passes before it is made, in this order. Default: none. */
  readonly stages?: readonly OutgoingStage[] | undefined;
}

/**
 * Makes calls over a connection, which the first of them opens, and over more of them
 * where there are many at a time or many callers go away.
 *
 * @throws GatewayConfigError that lists what is wrong with the options.
 */
export function networkUpstream(options: NetworkUpstreamOptions): Upstream {
  const { endpoint, credentials, channelOptions = {}, stack = 'grpc-js', stages = [] } = options;
  const mistakes = new Mistakes();
  mistakes.text('endpoint', endpoint);
  const connectTimeoutMs = checkConnection(options, mistakes);
  if (mistakes.found.length === 0) {
    const needs = { endpoint, channelOptions, credentials, hasCertificates: false };
    checkStack(stack, needs, mistakes);
  }
  mistakes.throwIfAny((found) => new GatewayConfigError(found));
  const transport = new NetworkTransport({
    endpoint,
    credentials: credentials ?? grpcCredentials.createInsecure(),
    channelOptions: { ...CHANNEL_DEFAULTS, ...channelOptions },
    connectTimeoutMs,
    stack,
  });
  const calls = new ForwardedCalls(transport);
  return stages.length === 0 ? calls : new StagedCalls(calls, stages);
}
