import type { Duration } from '@apix/contracts';
import type { ChannelOptions, ServerInterceptor } from '@grpc/grpc-js';
import { GrpcSetupError } from '../errors.js';
import { checkDuration } from './check-duration.js';
import {
  type ListenOptions,
  type ResolvedListenOptions,
  checkListenOptions,
} from './listen-options.js';

export interface GrpcOptions extends ListenOptions {
  /** The largest request message, in bytes. Default: 4 MiB. */
  readonly maxReceiveBytes?: number;
  /** The largest response message, in bytes. Default: unlimited, as grpc-js has it. */
  readonly maxSendBytes?: number;
  /** Calls open at once on one connection; a client waits with further ones. Default: 1000. */
  readonly maxConcurrentStreams?: number;
  /** How dead connections are found. Default: as there. */
  readonly keepAlive?: KeepAliveOptions;
  /** After so long, clients are asked to connect anew, so that load spreads. Default: never. */
  readonly maxConnectionAge?: Duration;
  /** Serves `grpc.health.v1`, fed by every health source of the app. Default: true. */
  readonly health?: boolean;
  /** How often the checks run while somebody watches the health. Default: '5s'. */
  readonly healthInterval?: Duration;
  /**
   * Serves `grpc.reflection.v1` and `v1alpha`, for tools such as grpcurl. Everybody who reaches
   * the port can then read the descriptors, policies among them. Default: false.
   */
  readonly reflection?: boolean;
  /**
   * What happens when a service of this server has policies (`apix.authz.requires` or
   * `default_requires`) and the app has no authz stage, as without AuthzModule: `refuse` does not
   * start; `allow` starts, lets every caller in and logs a warning. Default: 'refuse'.
   */
  readonly unenforcedPolicies?: 'refuse' | 'allow';
  /**
   * Interceptors of grpc-js, for what no stage does. What their listeners hear of a call has passed
   * the stages, from the network and in-process alike. Default: none.
   */
  readonly interceptors?: readonly ServerInterceptor[];
  /** Further options of grpc-js; they win. Default: none. */
  readonly channelOptions?: ChannelOptions;
}

export interface KeepAliveOptions {
  /** How often a connection is pinged; 0 for never. Default: '60s'. */
  readonly interval?: Duration;
  /** How long to wait for the answer before the connection's calls are cancelled. Default: '20s'. */
  readonly timeout?: Duration;
}

export interface ResolvedGrpcOptions extends ResolvedListenOptions {
  readonly health: boolean;
  readonly healthIntervalMs: number;
  readonly reflection: boolean;
  readonly unenforcedPolicies: 'refuse' | 'allow';
  readonly interceptors: readonly ServerInterceptor[];
  readonly channelOptions: ChannelOptions;
}

const MIB = 1024 * 1024;

/**
 * Checks the options and fills them in, with limits that keep a stranger from holding a server up.
 *
 * @throws GrpcSetupError that lists every mistake.
 */
export function resolveGrpcOptions(options: GrpcOptions): ResolvedGrpcOptions {
  const mistakes: string[] = [];
  const duration = (where: string, value: Duration): number =>
    checkDuration(where, value, mistakes);
  const count = (where: string, value: number): number => {
    if (!Number.isInteger(value) || value < 1) {
      mistakes.push(`${where}: ${String(value)} is no positive integer`);
    }
    return value;
  };
  const listen = checkListenOptions(options, mistakes);
  const healthIntervalMs = duration('healthInterval', options.healthInterval ?? '5s');
  if (healthIntervalMs < 1) mistakes.push('healthInterval: must be at least 1 ms');
  const { maxReceiveBytes = 4 * MIB, maxSendBytes, maxConcurrentStreams = 1000 } = options;
  const { keepAlive = {}, maxConnectionAge } = options;
  if (options.channelOptions !== undefined && 'interceptors' in options.channelOptions) {
    mistakes.push('channelOptions.interceptors: give them as the option interceptors');
  }
  const { unenforcedPolicies = 'refuse' } = options;
  if (unenforcedPolicies !== 'refuse' && unenforcedPolicies !== 'allow') {
    mistakes.push(
      `unenforcedPolicies: ${String(unenforcedPolicies)} is not valid; use 'refuse' or 'allow'`,
    );
  }
  const resolved: ResolvedGrpcOptions = {
    ...listen,
    health: options.health ?? true,
    healthIntervalMs,
    // Why: docs/decisions/0150
    reflection: options.reflection ?? false,
    unenforcedPolicies,
    interceptors: options.interceptors ?? [],
    channelOptions: {
      'grpc.max_receive_message_length': count('maxReceiveBytes', maxReceiveBytes),
      'grpc.max_send_message_length':
        maxSendBytes === undefined ? -1 : count('maxSendBytes', maxSendBytes),
      'grpc.max_concurrent_streams': count('maxConcurrentStreams', maxConcurrentStreams),
      // A connection whose other end has silently gone is noticed, and its calls are cancelled.
      'grpc.keepalive_time_ms': duration('keepAlive.interval', keepAlive.interval ?? '60s'),
      'grpc.keepalive_timeout_ms': duration('keepAlive.timeout', keepAlive.timeout ?? '20s'),
      ...(maxConnectionAge !== undefined && {
        'grpc.max_connection_age_ms': duration('maxConnectionAge', maxConnectionAge),
      }),
      ...options.channelOptions,
    },
  };
  if (mistakes.length > 0) throw new GrpcSetupError(mistakes);
  return resolved;
}
