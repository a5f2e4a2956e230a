import { type Duration, type Mistakes, shownValue, thrownText } from '@apix/contracts';
import type { InProcessServer } from '@apix/calls';
import {
  FLAG,
  type Option,
  type OptionTable,
  TEXT,
  callable,
  choice,
  foreignObject,
  parsedOption,
  section,
  shaped,
  wholeNumber,
} from '@apix/contracts/internal';
import { type Stack } from '@apix/grpc-client/transport';
import { CONNECTION_OPTIONS } from '@apix/grpc-client/internal';
import type { HttpServiceOptions } from '@apix/hostx';
import type { ChannelCredentials, ChannelOptions } from '@grpc/grpc-js';
import { GatewayConfigError } from '../errors.js';
import type { GatewayOptions } from '../http/gateway-options.js';
import { OPENAPI_OPTIONS, type OpenApiOptions } from '../openapi/build-document.js';

export interface GatewayModuleOptions extends GatewayOptions {
  /**
   * The gRPC server: `host:port`, or any target of grpc-js. A function is called once, when the
   * app starts. Default: the gRPC server of this app, in-process.
   */
  readonly endpoint?: string | (() => string);
  /**
   * `in-process` calls the gRPC server of this app without a socket, through the same stages;
   * `network` calls `endpoint`; `auto` is `network` with an endpoint, else `in-process`.
   * Default: `auto`.
   */
  readonly transport?: 'auto' | 'network' | 'in-process';
  /** Credentials of the network connection. Default: plaintext. */
  readonly credentials?: ChannelCredentials;
  /** grpc-js options of the network connection. Default: those of `networkUpstream()`. */
  readonly channelOptions?: ChannelOptions;
  /**
   * The largest message of a response, such as a file in a google.api.HttpBody, in bytes as on the wire; -1
   * for no limit. In-process and over the network alike. Default: 4 MiB.
   */
  readonly maxResponseBytes?: number;
  /** How long calls wait for the network connection. Default: `20s`. */
  readonly connectTimeout?: Duration;
  /**
   * The implementation that carries the calls over the network: `grpc-js`; `http2`, our own HTTP/2, for an
   * endpoint of one host without features that only grpc-js has; `auto`: `http2` for `host:port` and `unix:`, if
   * no option needs grpc-js. Default: 'auto'.
   */
  readonly stack?: Stack;
  /**
   * Serves the gateway on its own port, as the hosted service `gateway`, rather than in the Nest app; 0
   * picks a free one. Default: none; it is mounted into the app.
   */
  readonly port?: number;
  /** Address to listen on, with `port`. Default: every address of the machine. */
  readonly host?: string;
  /**
   * Serves the OpenAPI 3.1 document of the rules at `path`, which is not below the mount path. Default: not
   * served; `GatewayRef.openapi()` has it in any case.
   */
  readonly openapi?: OpenApiOptions & {
    readonly path?: string;
    /**
     * Says of each operation who may call it, in the words of `apix-authz report`, also of those of controllers
     * that `addOpenApi` adds. Readers of the document learn the roles, permissions and conditions of its methods.
     * Default: false.
     */
    readonly whoMayCall?: boolean;
  };
  /** TLS, HTTP/2, timeouts, drain and header limit of the own server, with `port`. Default: its own. */
  readonly http?: Pick<
    HttpServiceOptions,
    | 'tls'
    | 'http2'
    | 'maxConcurrentStreams'
    | 'timeouts'
    | 'drain'
    | 'maxHeaderSize'
    | 'activation'
    | 'withServer'
  >;
}

const NO_ENDPOINT = 'endpoint: transport "network" needs one, such as "localhost:50051"';

/** The option of grpc-js for the largest message that is received. */
export const RECEIVE_LIMIT = 'grpc.max_receive_message_length';

const PATH: Option<string> = parsedOption((path) => {
  if (typeof path === 'string' && path.startsWith('/')) return path;
  throw new Error(`${shownValue(path)} is not a path: it must start with "/"`);
});

/** The allowed values of the options that only the module has. */
export const MODULE_OPTIONS = {
  endpoint: shaped<string | (() => string)>((value) =>
    typeof value === 'function' ? callable<() => string>() : TEXT,
  ),
  transport: choice(['auto', 'network', 'in-process']),
  ...CONNECTION_OPTIONS,
  maxResponseBytes: wholeNumber({ min: -1 }),
  port: wholeNumber({ min: 0, max: 65_535 }),
  host: TEXT,
  openapi: section({
    ...OPENAPI_OPTIONS,
    path: PATH,
    whoMayCall: FLAG,
  } satisfies OptionTable<NonNullable<GatewayModuleOptions['openapi']>>),
  // Read by the server.
  http: foreignObject<NonNullable<GatewayModuleOptions['http']>>(),
};

/** Records the mistakes between the options that only the module has. */
export function checkModuleOptions(options: GatewayModuleOptions, mistakes: Mistakes): void {
  if (options.transport === 'network' && options.endpoint === undefined) {
    mistakes.add('', NO_ENDPOINT);
  }
  const { maxResponseBytes, channelOptions } = options;
  if (maxResponseBytes !== undefined && channelOptions?.[RECEIVE_LIMIT] !== undefined) {
    mistakes.add('maxResponseBytes', `cannot be combined with channelOptions["${RECEIVE_LIMIT}"]`);
  }
}

/** The options of grpc-js for the connection, with the limit of responses. */
export function channelOptionsOf({
  maxResponseBytes,
  channelOptions = {},
}: GatewayModuleOptions): ChannelOptions {
  return maxResponseBytes === undefined
    ? channelOptions
    : { ...channelOptions, [RECEIVE_LIMIT]: maxResponseBytes };
}

/** Which server the calls go to, and how. */
export type ServerChoice =
  | { readonly transport: 'network'; readonly endpoint: string }
  | { readonly transport: 'in-process'; readonly server: InProcessServer };

/**
 * @param servers the in-process servers that the app offers.
 * @throws GatewayConfigError when the options name no server that can be called.
 */
export function chooseServer(
  options: GatewayModuleOptions,
  servers: readonly InProcessServer[],
): ServerChoice {
  const { transport = 'auto', endpoint } = options;
  if (transport === 'network' || (transport === 'auto' && endpoint !== undefined)) {
    if (endpoint === undefined) {
      throw new GatewayConfigError([NO_ENDPOINT]);
    }
    const target = typeof endpoint === 'function' ? askedEndpoint(endpoint) : endpoint;
    return { transport: 'network', endpoint: target };
  }
  const [server] = servers;
  if (server === undefined) {
    throw new GatewayConfigError([
      'no gRPC server to call: import GrpcModule into this app, or give GatewayModule an ' +
        'endpoint, such as "localhost:50051"',
    ]);
  }
  return { transport: 'in-process', server };
}

function askedEndpoint(endpoint: () => string): string {
  let target: string;
  try {
    target = endpoint();
  } catch (error) {
    throw new GatewayConfigError([`endpoint: ${thrownText(error)}`], { cause: error });
  }
  if (typeof target === 'string' && target !== '') return target;
  const given = shownValue(target);
  throw new GatewayConfigError([`endpoint: must return a non-empty string, not ${given}`]);
}

/** The options of `GatewayModule.forRoot`. */
export const GATEWAY_OPTIONS = Symbol.for('apix.gateway.Options');

/** The descriptors whose rules GatewayModule serves. */
export const GATEWAY_PROTOS = Symbol.for('apix.gateway.Protos');
