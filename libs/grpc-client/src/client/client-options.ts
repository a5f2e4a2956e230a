import { type Duration, IN_PROCESS_SERVER, type Mistakes, shownValue } from '@apix/contracts';
import {
  hasMark,
  anyValue,
  arrayOf,
  duration,
  FLAG,
  option,
  type OptionTable,
  type ReadOptions,
  readOptions,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import type { InProcessServer } from '@apix/calls';
import type { DescService } from '@bufbuild/protobuf';
import {
  type ChannelCredentials,
  type ChannelOptions,
  compressionAlgorithms,
  credentials as grpcCredentials,
} from '@grpc/grpc-js';
import {
  type CompressionAlgorithm,
  type CompressionOptions,
  COMPRESSION,
} from '../compression/compression-options.js';
import type { AuthorizationRule } from '../inherit/authorization.js';
import {
  type InheritOptions,
  type InheritRules,
  inheritRules,
} from '../inherit/inherit-options.js';
import { openClientCertificates } from '../tls/client-certificates.js';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import {
  type ServiceConfigOptions,
  serviceConfigOptions,
} from '../service-config/channel-config.js';
import { type LostCalls, NO_LOST_CALLS } from '../service-config/lost-calls.js';
import { unknownMethod } from '../service-config/method-names.js';
import type { MethodRetryOptions, ServiceRetryOptions } from '../service-config/retry-options.js';
import {
  METHOD_RETRIES,
  type RetriedService,
  SERVICE_RETRIES,
} from '../service-config/service-retries.js';
import type { ClientStage } from '../stages/client-stage.js';
import { setupError } from '../errors.js';
import { CHANNEL_DEFAULTS, CONNECTION_OPTIONS } from '../transport/connection-options.js';
import { type Stack, checkStack } from '../transport/stack.js';
import type { ChannelSettings } from '../transport/channel-settings.js';

/** The target of a client's calls. */
export interface ChannelInit extends ServiceConfigOptions {
  /** `host:port`, or any target of grpc-js, such as `dns:///catalog:50051`. Default: `server`. */
  readonly endpoint?: string | undefined;
  /** A gRPC server of this process, called without a socket: `GrpcServer`. Default: `endpoint`. */
  readonly server?: InProcessServer | undefined;
  /**
   * TLS to the endpoint; `true`: with the authorities that Node brings along. Files are read again when the
   * host reloads. Default: false.
   */
  readonly tls?: boolean | ClientTlsOptions | undefined;
  /**
   * Compresses requests, also the first ones, before it is known what the server can read: a server that
   * cannot read them answers with UNIMPLEMENTED, and gets later ones uncompressed. The call option
   * `compress: false` and `uncompressed(request)` except single ones. Answers may be compressed or not.
   * In-process calls are never compressed. Default: no compression.
   */
  readonly compression?: CompressionAlgorithm | CompressionOptions | undefined;
  /** Of grpc-js, in place of `tls`. Default: plaintext. */
  readonly credentials?: ChannelCredentials | undefined;
  /**
   * Options of the grpc-js channel. Default: `grpc.keepalive_time_ms` of 305,000, so that a
   * connection that has died in silence is noticed; the least that servers take unasked is 300,000.
   */
  readonly channelOptions?: ChannelOptions | undefined;
  /**
   * How long calls wait for a connection before they are UNAVAILABLE, unless they `waitForReady`. A connection
   * that is refused ends them at once. Default: `20s`.
   */
  readonly connectTimeout?: Duration | undefined;
  /**
   * The implementation that carries the calls: `grpc-js`; `http2`, our own HTTP/2, for an endpoint of
   * one host without features that only grpc-js has, such as `balance`, `retry` or `credentials`;
   * `auto`: `http2` for `host:port` and `unix:`, if no option, and no proxy of the environment, needs
   * grpc-js. Default: 'grpc-js'.
   */
  readonly stack?: Stack | undefined;
}

/** Options for the calls of one method. */
export interface MethodOptions extends MethodRetryOptions {
  /** Default: that of the client. */
  readonly timeout?: Duration | undefined;
  /** Default: that of the client. */
  readonly waitForReady?: boolean | undefined;
}

/** Options for every call of a client. */
export interface CallDefaults<S extends DescService> extends ServiceRetryOptions {
  /** How long a call may take, its answers included. Default: for as long as it takes. */
  readonly timeout?: Duration | undefined;
  /**
   * Whether calls wait for a connection, until their deadline, instead of failing as UNAVAILABLE while
   * there is none. Default: false.
   */
  readonly waitForReady?: boolean | undefined;
  /** The same for single methods, by their names. Default: none. */
  readonly methods?: { readonly [K in keyof S['method']]?: MethodOptions } | undefined;
  /**
   * What an outgoing call inherits from the call that its handler is serving: deadline, cancellation,
   * request id and trace; `false`: nothing. Default: all of it.
   */
  readonly inherit?: boolean | InheritOptions | undefined;
  /** The `authorization` of every call, by rule. Default: none. */
  readonly authorization?: AuthorizationRule | undefined;
  /** What every call passes before it is made, in this order. Default: none. */
  readonly stages?: readonly ClientStage[] | undefined;
}

/** The allowed values of the options of a channel; those of its service config are checked with each other. */
export const CHANNEL_INIT = {
  ...CONNECTION_OPTIONS,
  endpoint: TEXT,
  server: option<InProcessServer>('a gRPC server of this process', (value) =>
    hasMark(value, IN_PROCESS_SERVER),
  ),
  // Read with its files.
  tls: anyValue(),
  compression: COMPRESSION,
  // Checked with the service config.
  balance: anyValue(),
  retries: option<readonly RetriedService[]>('an array', Array.isArray),
  retryThrottling: anyValue(),
  serviceConfig: anyValue(),
} satisfies OptionTable<ChannelInit>;

const TIMEOUT = duration({ min: 1 });

const METHOD_OPTIONS = {
  ...METHOD_RETRIES,
  timeout: TIMEOUT,
  waitForReady: FLAG,
} satisfies OptionTable<MethodOptions>;

/** The allowed values of the options for every call of a client. */
export const CALL_DEFAULTS = {
  ...SERVICE_RETRIES,
  timeout: withDefault(TIMEOUT, Infinity),
  waitForReady: withDefault(FLAG, false),
  inherit: anyValue<boolean | InheritOptions>(),
  authorization: anyValue<AuthorizationRule>(),
  stages: withDefault(arrayOf(anyValue<ClientStage>(), 'an array of stages'), []),
} satisfies OptionTable<CallDefaults<DescService>>;

/** The options of a channel, checked: a server of this process, or the settings of a connection. */
export type ResolvedChannel = { readonly server: InProcessServer } | ChannelSettings;

/**
 * @param read the options, read by their table.
 * @param own the service of the client that has the channel to itself.
 * @param mistakes that were found before.
 * @throws GrpcSetupError that lists every mistake.
 */
export function resolveChannel(
  init: ChannelInit,
  read: ReadOptions<typeof CHANNEL_INIT>,
  own: RetriedService | undefined,
  mistakes: Mistakes,
): ResolvedChannel & {
  readonly maxReceiveBytes: number | undefined;
  readonly lostCalls: LostCalls;
} {
  const { endpoint, server, tls = false, credentials } = init;
  const { stack = 'grpc-js', compression, connectTimeout, retries, channelOptions = {} } = read;
  if (endpoint === undefined && server === undefined) {
    mistakes.add('endpoint', 'missing; set it to the host:port to call, or server to a GrpcServer');
  }
  if (endpoint !== undefined && server !== undefined) {
    mistakes.add('server', 'cannot be combined with endpoint; a client calls one of them');
  }
  if (tls !== false && credentials !== undefined) {
    mistakes.add('tls and credentials', 'use only one of them');
  }
  const serviceConfig = serviceConfigOptions({ ...init, retries, channelOptions }, own, mistakes);
  const certificates = tls === false ? undefined : openClientCertificates(tls, mistakes);
  if (mistakes.found.length === 0 && endpoint !== undefined) {
    const options = { ...serviceConfig.channelOptions, ...channelOptions };
    const needs = {
      endpoint,
      channelOptions: options,
      credentials,
      hasCertificates: tls !== false,
    };
    checkStack(stack, needs, mistakes);
  }
  mistakes.throwIfAny(setupError);
  const maxReceiveBytes = channelOptions['grpc.max_receive_message_length'];
  if (server !== undefined) return { server, maxReceiveBytes, lostCalls: NO_LOST_CALLS };
  return {
    endpoint: endpoint!,
    credentials: certificates?.credentials ?? credentials ?? grpcCredentials.createInsecure(),
    certificates,
    channelOptions: {
      ...CHANNEL_DEFAULTS,
      ...(compression !== undefined && {
        'grpc.default_compression_algorithm': compressionAlgorithms[compression.algorithm],
      }),
      ...serviceConfig.channelOptions,
      ...channelOptions,
    },
    compressFromBytes: compression?.minBytes ?? 0,
    connectTimeoutMs: connectTimeout,
    stack,
    maxReceiveBytes,
    lostCalls: serviceConfig.lostCalls,
  };
}

/** The options of one method, with defaults. */
export interface MethodSettings {
  /** Milliseconds; Infinity: no deadline. */
  readonly timeoutMs: number;
  readonly waitForReady: boolean;
  /** undefined where nothing is inherited. */
  readonly inherit: InheritRules | undefined;
}

/** The options of each method of a service, by local name. Records every mistake. */
export function resolveDefaults(
  service: DescService,
  { timeout, waitForReady, inherit, methods = {}, stages }: ReadOptions<typeof CALL_DEFAULTS>,
  mistakes: Mistakes,
): (localName: string) => MethodSettings {
  const whole = { timeoutMs: timeout, waitForReady, inherit: inheritRules(inherit, mistakes) };
  const names = service.methods.map(({ localName }) => localName);
  const settings = new Map<string, MethodSettings>();
  for (const [name, given = {}] of Object.entries(methods)) {
    if (!names.includes(name)) mistakes.add(`methods.${name}`, unknownMethod(service, name, names));
    const own = readOptions(METHOD_OPTIONS, given, `methods.${name}`, mistakes);
    settings.set(name, {
      ...whole,
      timeoutMs: own.timeout ?? whole.timeoutMs,
      waitForReady: own.waitForReady ?? whole.waitForReady,
    });
  }
  for (const [place, stage] of stages.entries()) {
    const isStage = typeof (stage as Partial<ClientStage> | undefined)?.bind === 'function';
    if (!isStage)
      mistakes.add(`stages[${place}]`, `must have a function bind, not ${shownValue(stage)}`);
  }
  return (localName) => settings.get(localName) ?? whole;
}
