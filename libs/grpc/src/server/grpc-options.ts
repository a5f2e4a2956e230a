import { type Duration, Mistakes, shownValue } from '@apix/contracts';
import type { ChannelOptions, ServerInterceptor } from '@grpc/grpc-js';
import {
  type CompressionAlgorithm,
  type CompressionOptions,
  checkCompression,
} from '../compression/compression-options.js';
import { setupError } from '../errors.js';
import { DEFAULT_UNSENT_LIMITS, type UnsentLimits } from '../flow/unsent-answers.js';
import {
  type ListenOptions,
  type ResolvedListenOptions,
  checkListenOptions,
  timerMs,
} from './listen-options.js';

/** The options of GrpcModule. */
export interface GrpcModuleOptions extends ListenOptions {
  /** The largest request message, in bytes. Default: 4 MiB. */
  readonly maxReceiveBytes?: number;
  /** The largest response message, in bytes. Default: unlimited, as grpc-js has it. */
  readonly maxSendBytes?: number;
  /**
   * How much of the answers of one call may wait for its caller, in bytes of memory, roughly. It ends as
   * RESOURCE_EXHAUSTED if its producer continues regardless, like an Observable that emits faster than the
   * caller reads. Default: 4 MiB.
   */
  readonly maxUnsentBytes?: number;
  /**
   * The same for all calls of the server together; the one with most is ended. The same limit applies
   * separately to messages written to connections but not sent, answers of unary calls included: calls
   * whose message has waited for 5 s are reset with ENHANCE_YOUR_CALM. Default: 64 MiB.
   */
  readonly maxUnsentBytesTotal?: number;
  /**
   * Compresses answers for callers who can read that. It costs time of processor for bytes of network.
   * Requests are read compressed or not. `uncompressed(answer)` leaves single ones as they are.
   * Default: nothing is compressed.
   */
  readonly compression?: CompressionAlgorithm | CompressionOptions;
  /** Calls open at once on one connection; a client waits with further ones. Default: 1000. */
  readonly maxConcurrentStreams?: number;
  /** How dead connections are found. Default: as there. */
  readonly keepAlive?: KeepAliveOptions;
  /** After so long, clients are asked to reconnect, so that load spreads. Default: never. */
  readonly maxConnectionAge?: Duration;
  /** Serves `grpc.health.v1`, fed by every health source of the app. Default: true. */
  readonly health?: boolean;
  /** How often the checks run while somebody watches the health. Default: '5s'. */
  readonly healthInterval?: Duration;
  /**
   * Serves `grpc.reflection.v1` and `v1alpha`, for tools such as grpcurl. Everyone who reaches
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
   * Interceptors of grpc-js, for tasks that no stage covers. Their listeners see calls after the stages,
   * from the network and in-process alike. Default: none.
   */
  readonly interceptors?: readonly ServerInterceptor[];
  /** Further options of grpc-js; they take precedence. Default: none. */
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
  readonly unsent: UnsentLimits;
  readonly compression: Required<CompressionOptions> | undefined;
  readonly channelOptions: ChannelOptions;
}

const MIB = 1024 * 1024;

/**
 * Checks the options and fills them in, with limits that keep a stranger from holding a server up.
 *
 * @throws GrpcSetupError that lists every mistake.
 */
export function resolveGrpcOptions(options: GrpcModuleOptions): ResolvedGrpcOptions {
  const mistakes = new Mistakes();
  const resolved: ResolvedGrpcOptions = {
    ...checkListenOptions(options, mistakes),
    health: mistakes.flag('health', options.health ?? true),
    healthIntervalMs: timerMs('healthInterval', options.healthInterval ?? '5s', mistakes, 1),
    // Why: docs/decisions/0150
    reflection: mistakes.flag('reflection', options.reflection ?? false),
    unenforcedPolicies: mistakes.choice(
      'unenforcedPolicies',
      options.unenforcedPolicies ?? 'refuse',
      ['refuse', 'allow'],
    ),
    interceptors: interceptorsOf(options, mistakes),
    unsent: unsentLimitsOf(options, mistakes),
    compression: checkCompression(options.compression, mistakes),
    channelOptions: channelOptionsOf(options, mistakes),
  };
  mistakes.throwIfAny(setupError);
  return resolved;
}

function unsentLimitsOf(
  {
    maxUnsentBytes = DEFAULT_UNSENT_LIMITS.perCall,
    maxUnsentBytesTotal = DEFAULT_UNSENT_LIMITS.total,
  }: GrpcModuleOptions,
  mistakes: Mistakes,
): UnsentLimits {
  return {
    perCall: mistakes.count('maxUnsentBytes', maxUnsentBytes, { min: 1 }),
    total: mistakes.count('maxUnsentBytesTotal', maxUnsentBytesTotal, { min: 1 }),
  };
}

function channelOptionsOf(options: GrpcModuleOptions, mistakes: Mistakes): ChannelOptions {
  const { maxReceiveBytes = 4 * MIB, maxSendBytes, maxConcurrentStreams = 1000 } = options;
  const { maxConnectionAge } = options;
  const keepAlive = objectAt('keepAlive', options.keepAlive ?? {}, mistakes);
  const given = objectAt('channelOptions', options.channelOptions ?? {}, mistakes);
  if ('interceptors' in given) {
    mistakes.add('channelOptions.interceptors', 'not supported here; use the option interceptors');
  }
  const count = (where: string, value: number): number => mistakes.count(where, value, { min: 1 });
  const duration = (where: string, value: Duration): number => timerMs(where, value, mistakes);
  return {
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
    ...given,
  };
}

function interceptorsOf(
  { interceptors = [] }: GrpcModuleOptions,
  mistakes: Mistakes,
): readonly ServerInterceptor[] {
  const isList = Array.isArray(interceptors);
  if (isList && interceptors.every((each) => typeof each === 'function')) return interceptors;
  const culprit = isList ? 'an array with other values' : shownValue(interceptors);
  mistakes.add('interceptors', `must be an array of functions, not ${culprit}`);
  return [];
}

function objectAt<T extends object>(where: string, value: T, mistakes: Mistakes): Partial<T> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  mistakes.add(where, `must be an object, not ${shownValue(value)}`);
  return {};
}
