import { type Mistakes, shownValue } from '@apix/contracts';
import { type ChannelCredentials, type ChannelOptions, credentials } from '@grpc/grpc-js';
import { isIP } from 'node:net';
import type { ServerAddress } from './http2/http2-settings.js';

/**
 * Which implementation of gRPC carries calls: `http2`, our own HTTP/2, which takes a fraction of the
 * time; `grpc-js`, which has name resolution, balancing, service configs, proxies and credentials; `auto`:
 * `http2` if none of these is used.
 */
// Why: docs/decisions/0297
export type Stack = 'auto' | 'http2' | 'grpc-js';

/** The options that decide it. */
export interface StackNeeds {
  readonly endpoint: string;
  readonly channelOptions: ChannelOptions;
  readonly credentials: ChannelCredentials | undefined;
  /** Whether the credentials are made of certificates that are known. */
  readonly hasCertificates: boolean;
}

/** Options of channels that mean the same over `http2`, or nothing there. */
const KNOWN_OPTIONS: ReadonlySet<string> = new Set([
  'grpc.client_idle_timeout_ms',
  'grpc.default_authority',
  'grpc.default_compression_algorithm',
  'grpc.enable_channelz',
  'grpc.initial_reconnect_backoff_ms',
  'grpc.keepalive_permit_without_calls',
  'grpc.keepalive_time_ms',
  'grpc.keepalive_timeout_ms',
  'grpc.max_receive_message_length',
  'grpc.max_reconnect_backoff_ms',
  'grpc.max_send_message_length',
  'grpc.primary_user_agent',
  'grpc.secondary_user_agent',
  'grpc.use_local_subchannel_pool',
  'grpc-node.flow_control_window',
]);

const PROXY_VARIABLES = ['grpc_proxy', 'https_proxy', 'http_proxy'];

/** Why calls cannot go over `http2`; undefined where they can. */
export function needsGrpcJs(
  { endpoint, channelOptions, credentials: given, hasCertificates }: StackNeeds,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const address = endpointAddress(endpoint);
  if (address === undefined) return `${shownValue(endpoint)} is not host:port or unix:path`;
  const option = Object.keys(channelOptions).find(
    (key) => !KNOWN_OPTIONS.has(key) && key !== 'grpc.enable_http_proxy',
  );
  if (option !== undefined) return `only grpc-js has the channel option ${option}`;
  if (given !== undefined && !hasCertificates && !given._equals(credentials.createInsecure())) {
    return 'credentials are those of grpc-js; use the option tls';
  }
  const mayHaveProxy = 'host' in address && channelOptions['grpc.enable_http_proxy'] !== 0;
  const proxy = mayHaveProxy ? PROXY_VARIABLES.find((name) => environment[name]) : undefined;
  return proxy === undefined ? undefined : `${proxy} names a proxy`;
}

/** Notes calls that are to go over `http2` and cannot. */
export function checkStack(stack: Stack, needs: StackNeeds, mistakes: Mistakes): void {
  const reason = stack === 'http2' ? needsGrpcJs(needs) : undefined;
  if (reason !== undefined) mistakes.add('stack', `"http2" cannot be used: ${reason}`);
}

/** The implementation that `auto` chooses. */
export function stackFor(needs: StackNeeds, environment?: NodeJS.ProcessEnv): 'http2' | 'grpc-js' {
  return needsGrpcJs(needs, environment) === undefined ? 'http2' : 'grpc-js';
}

/** `host:port`, `[::1]:port`, `unix:path` or `unix:///path`; undefined for anything else. */
export function endpointAddress(endpoint: string): ServerAddress | undefined {
  const [, path] = /^unix:(?:\/\/(?=\/))?(.+)$/.exec(endpoint) ?? [];
  if (path !== undefined) return { path };
  const [, bracketed, plain, port] =
    /^(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(endpoint) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || (bracketed !== undefined && isIP(bracketed) !== 6)) return undefined;
  return { host, port: Number(port) };
}
