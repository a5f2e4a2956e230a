import type { Duration } from '@apix/contracts';
import {
  arrayOf,
  callable,
  checkedOptions,
  choice,
  filledSection,
  FLAG,
  foreignObject,
  type OptionTable,
  type ReadOptions,
  section,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import type { ChannelOptions, ServerInterceptor } from '@grpc/grpc-js';
import { COMPRESSION, setupError } from '@apix/grpc-client/internal';
import type { CompressionAlgorithm, CompressionOptions } from '@apix/grpc-client/core';
import { DEFAULT_UNSENT_LIMITS, type UnsentLimits } from '../flow/unsent-answers.js';
import { LOADER_OPTIONS, type LoaderOptions } from '../loader/loader-options.js';
import { optionOfGrpcJs } from '../http2/connection-settings.js';
import {
  LISTEN_OPTIONS,
  listeningOf,
  type ListenOptions,
  refuseTwoCredentials,
  type ResolvedListenOptions,
  timer,
} from './listen-options.js';

/** The options of GrpcModule. */
export interface GrpcModuleOptions extends ListenOptions {
  /**
   * What speaks HTTP/2 on the connections: `grpc-js`, or `http2`, our own, which takes a fraction of the time and does
   * not have `interceptors`, `credentials`, and `channelOptions` of grpc-js alone. `auto` is `http2` for options
   * without any of these. Default: 'grpc-js'.
   */
  readonly stack?: ServerStack | 'auto';
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
  /**
   * Connections open at once in this process, with those whose handshake of TLS or of HTTP/2 is not done; further ones
   * are closed at once. Default: as many as the system lets the process have.
   */
  readonly maxConnections?: number;
  /** How dead connections are found. Default: as there. */
  readonly keepAlive?: KeepAliveOptions;
  /** After so long, ± 10 % for each connection, clients are asked to reconnect, so that load spreads. Default: never. */
  readonly maxConnectionAge?: Duration;
  /** How long calls may continue on a connection of that age before they are cut off. Default: without a limit. */
  readonly maxConnectionAgeGrace?: Duration;
  /** After so long without a call, a connection is closed. Default: never. */
  readonly maxConnectionIdle?: Duration;
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
   * Handlers of `@GrpcMethod` and `@GrpcStreamMethod` get and return messages as proto-loader has them, by the options of
   * `loader` of Nest's transport; `{}` for its defaults. Those of `@GrpcService` are not affected. A handler of
   * `@GrpcStreamCall` is refused. Default: messages of protobuf-es.
   */
  readonly loader?: LoaderOptions;
  /**
   * Interceptors of grpc-js, for tasks that no stage covers. Their listeners see calls after the stages,
   * from the network and in-process alike. Default: none.
   */
  readonly interceptors?: readonly ServerInterceptor[];
  /** Further options of grpc-js; they take precedence. Default: none. */
  readonly channelOptions?: ChannelOptions;
}

/** What carries the calls of a server. */
export type ServerStack = 'grpc-js' | 'http2';

export interface KeepAliveOptions {
  /** How often a connection is pinged; 0 for never. Default: '60s'. */
  readonly interval?: Duration;
  /** How long to wait for the answer before the connection's calls are cancelled. Default: '20s'. */
  readonly timeout?: Duration;
}

const MIB = 1024 * 1024;
const AT_LEAST_ONE = wholeNumber({ min: 1 });

const KEEP_ALIVE = {
  interval: withDefault(timer(), 60_000),
  timeout: withDefault(timer(), 20_000),
} satisfies OptionTable<KeepAliveOptions>;

/** Every option, with limits that keep any one client from blocking a server. */
const GRPC_MODULE_OPTIONS = {
  ...LISTEN_OPTIONS,
  stack: withDefault(choice<ServerStack | 'auto'>(['grpc-js', 'http2', 'auto']), 'grpc-js'),
  maxReceiveBytes: withDefault(AT_LEAST_ONE, 4 * MIB),
  maxSendBytes: AT_LEAST_ONE,
  maxUnsentBytes: withDefault(AT_LEAST_ONE, DEFAULT_UNSENT_LIMITS.perCall),
  maxUnsentBytesTotal: withDefault(AT_LEAST_ONE, DEFAULT_UNSENT_LIMITS.total),
  compression: COMPRESSION,
  maxConcurrentStreams: withDefault(AT_LEAST_ONE, 1_000),
  maxConnections: AT_LEAST_ONE,
  keepAlive: filledSection(KEEP_ALIVE),
  maxConnectionAge: timer(),
  maxConnectionAgeGrace: timer(),
  maxConnectionIdle: timer({ min: 1 }),
  health: withDefault(FLAG, true),
  healthInterval: withDefault(timer({ min: 1 }), 5_000),
  // Why: docs/decisions/0150
  reflection: withDefault(FLAG, false),
  unenforcedPolicies: withDefault(choice(['refuse', 'allow']), 'refuse'),
  loader: section(LOADER_OPTIONS),
  interceptors: withDefault(arrayOf(callable<ServerInterceptor>(), 'an array of functions'), []),
  channelOptions: withDefault(foreignObject<ChannelOptions>(), {}),
} satisfies OptionTable<GrpcModuleOptions>;

type ReadGrpcOptions = ReadOptions<typeof GRPC_MODULE_OPTIONS>;

/** The options with every default; times in milliseconds. */
export interface ResolvedGrpcOptions
  extends
    ResolvedListenOptions,
    Pick<
      ReadGrpcOptions,
      | 'maxConnections'
      | 'health'
      | 'healthInterval'
      | 'reflection'
      | 'unenforcedPolicies'
      | 'interceptors'
      | 'loader'
      | 'compression'
      | 'channelOptions'
    > {
  readonly stack: ServerStack;
  readonly unsent: UnsentLimits;
}

/** @throws GrpcSetupError that lists every mistake. */
export function resolveGrpcOptions(options: GrpcModuleOptions): ResolvedGrpcOptions {
  const read = checkedOptions(GRPC_MODULE_OPTIONS, options, setupError, (read, mistakes) => {
    refuseTwoCredentials(options, mistakes);
    if (read.stack === 'http2') {
      for (const [at, instead] of ofGrpcJsAlone(read)) {
        const mistake = `only the stack grpc-js has it; ${instead}, or leave the option stack out`;
        mistakes.add(at, mistake);
      }
    }
    if (!('interceptors' in read.channelOptions)) return;
    mistakes.add('channelOptions.interceptors', 'not supported here; use the option interceptors');
  });
  const { health, healthInterval, reflection, unenforcedPolicies, interceptors, loader } = read;
  return {
    ...listeningOf(read),
    stack: stackOf(read),
    maxConnections: read.maxConnections,
    health,
    healthInterval,
    reflection,
    unenforcedPolicies,
    interceptors,
    loader,
    unsent: { perCall: read.maxUnsentBytes, total: read.maxUnsentBytesTotal },
    compression: read.compression,
    channelOptions: channelOptionsOf(read),
  };
}

function stackOf(read: ReadGrpcOptions): ServerStack {
  if (read.stack !== 'auto') return read.stack;
  return ofGrpcJsAlone(read).length === 0 ? 'http2' : 'grpc-js';
}

/** The options that only grpc-js has, and what to use in their place. */
function ofGrpcJsAlone({
  interceptors,
  credentials,
  channelOptions,
}: ReadGrpcOptions): readonly (readonly [at: string, instead: string])[] {
  const name = optionOfGrpcJs(channelOptions);
  const found: [string, string][] = [];
  if (interceptors.length > 0) found.push(['interceptors', 'use a call stage']);
  if (credentials?._isSecure() === true) found.push(['credentials', 'use the option tls']);
  if (name !== undefined && name !== 'interceptors') {
    found.push([`channelOptions["${name}"]`, 'leave it out']);
  }
  return found;
}

function channelOptionsOf({
  maxReceiveBytes,
  maxSendBytes = -1,
  maxConcurrentStreams,
  keepAlive,
  maxConnectionAge,
  maxConnectionAgeGrace,
  maxConnectionIdle,
  channelOptions,
}: ReadGrpcOptions): ChannelOptions {
  return {
    'grpc.max_receive_message_length': maxReceiveBytes,
    'grpc.max_send_message_length': maxSendBytes,
    'grpc.max_concurrent_streams': maxConcurrentStreams,
    // A connection whose other end has silently gone is noticed, and its calls are cancelled.
    'grpc.keepalive_time_ms': keepAlive.interval,
    'grpc.keepalive_timeout_ms': keepAlive.timeout,
    ...(maxConnectionAge !== undefined && { 'grpc.max_connection_age_ms': maxConnectionAge }),
    ...(maxConnectionAgeGrace !== undefined && {
      'grpc.max_connection_age_grace_ms': maxConnectionAgeGrace,
    }),
    ...(maxConnectionIdle !== undefined && { 'grpc.max_connection_idle_ms': maxConnectionIdle }),
    ...channelOptions,
  };
}
