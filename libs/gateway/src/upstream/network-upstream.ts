import type { Mistakes, OutgoingStage } from '@apix/contracts';
import {
  arrayOf,
  checkedOptions,
  objectWith,
  type OptionTable,
  type ReadOptions,
  required,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import {
  type ChannelCertificates,
  type ConnectionOptions,
  NetworkTransport,
  type Stack,
} from '@apix/grpc-client/transport';
import { CHANNEL_DEFAULTS, CONNECTION_OPTIONS, checkStack } from '@apix/grpc-client/internal';
import { credentials as grpcCredentials } from '@grpc/grpc-js';
import { GatewayConfigError } from '../errors.js';
import { AdmittedCalls } from './admitted-call.js';
import type { CallAdmission } from './call-admission.js';
import { StagedCalls } from './staged-calls.js';
import type { Upstream } from './upstream.js';

/** The options of {@link networkUpstream}. */
export interface NetworkUpstreamOptions extends ConnectionOptions {
  /** `host:port`, or any target of grpc-js. */
  readonly endpoint: string;
  /**
   * The implementation that carries the calls: `grpc-js`; `http2`, our own HTTP/2, for an endpoint of one host that
   * needs no feature that only grpc-js has; `auto`: `http2` for `host:port` and `unix:`, if nothing needs grpc-js.
   * Default: 'auto'.
   */
  // Why: docs/decisions/0297
  readonly stack?: Stack | undefined;
  /**
   * The certificates that `credentials` are made of, which `reload()` of the upstream reads again:
   * `openClientCertificates()` of `@apix/grpc/core` has both. Default: none.
   */
  readonly certificates?: ChannelCertificates | undefined;
  /**
   * Decides in this process about each call before it is made, such as an `Authorizer` of `@apix/authz`. No
   * body is read, and no call made, for a caller that is refused. Default: none, the server decides.
   */
  // Why: docs/decisions/0180
  readonly admission?: CallAdmission | undefined;
  /** Stages that every call passes before it is made, in this order. Default: none. */
  readonly stages?: readonly OutgoingStage[] | undefined;
}

const UPSTREAM_OPTIONS = {
  endpoint: required(TEXT, ''),
  ...CONNECTION_OPTIONS,
  stack: withDefault(CONNECTION_OPTIONS.stack, 'auto'),
  certificates: objectWith<ChannelCertificates>('what openClientCertificates returns', 'reload'),
  admission: objectWith<CallAdmission>('an object with the method admit', 'admit'),
  stages: withDefault(arrayOf(objectWith<OutgoingStage>('an outgoing stage', 'bind')), []),
} satisfies OptionTable<NetworkUpstreamOptions>;

type ReadUpstreamOptions = ReadOptions<typeof UPSTREAM_OPTIONS>;

/**
 * Makes calls over a connection, which the first of them opens, and over more of them
 * if many calls run at a time or many callers go away.
 *
 * @throws GatewayConfigError that lists what is wrong with the options.
 */
export function networkUpstream(options: NetworkUpstreamOptions): Upstream {
  const {
    endpoint,
    credentials,
    channelOptions = {},
    connectTimeout,
    stack,
    stages,
    certificates,
    admission,
  } = checkedOptions(
    UPSTREAM_OPTIONS,
    options,
    (found) => new GatewayConfigError(found),
    checkTransport,
  );
  const transport = new NetworkTransport({
    endpoint,
    credentials: credentials ?? grpcCredentials.createInsecure(),
    certificates,
    channelOptions: { ...CHANNEL_DEFAULTS, ...channelOptions },
    connectTimeoutMs: connectTimeout,
    stack,
  });
  const staged = stages.length === 0 ? transport : new StagedCalls(transport, stages);
  return admission === undefined ? staged : new AdmittedCalls(staged, admission);
}

function checkTransport(
  { endpoint, channelOptions = {}, credentials, certificates, stack }: ReadUpstreamOptions,
  mistakes: Mistakes,
): void {
  if (mistakes.found.length > 0) return;
  const hasCertificates = certificates !== undefined;
  checkStack(stack, { endpoint, channelOptions, credentials, hasCertificates }, mistakes);
}
