import { MAX_TIMER_MS } from '@apix/contracts/internal';
import { compressionAlgorithms } from '@grpc/grpc-js';
import type { ChannelSettings } from './channel-settings.js';
import { BACKOFF_LIMITS } from './http2/backoff.js';
import { Http2Call } from './http2/http2-call.js';
import { Http2Channel } from './http2/http2-channel.js';
import type { Http2Settings } from './http2/http2-settings.js';
import type { NetworkWay } from './network-way.js';
import { endpointAddress } from './stack.js';

/** As of grpc-js, and of gRPC. */
const MAX_RECEIVE_BYTES = 4 * 1024 * 1024;
const KEEPALIVE_TIMEOUT_MS = 20_000;
const IDLE_MS = 30 * 60_000;
const MIN_IDLE_MS = 1_000;

/** Streams of a client have odd numbers below 2^31 (RFC 9113, 5.1.1). */
const MAX_CALLS = 2 ** 30;

/** Calls over HTTP/2 of our own. */
export function http2Way(settings: ChannelSettings): NetworkWay<Http2Channel> {
  const made = http2Settings(settings);
  return {
    connect: () => new Http2Channel(made),
    open: (connection, head, listener) => {
      const call = new Http2Call(connection, head, listener);
      call.start();
      return call;
    },
  };
}

function http2Settings(settings: ChannelSettings): Http2Settings {
  const { endpoint, channelOptions: options, certificates, compressFromBytes = 0 } = settings;
  const address = endpointAddress(endpoint)!;
  const algorithm = options['grpc.default_compression_algorithm'];
  const initialMs = options['grpc.initial_reconnect_backoff_ms'] ?? BACKOFF_LIMITS.initialMs;
  return {
    address,
    authority: options['grpc.default_authority'] ?? ('path' in address ? 'localhost' : endpoint),
    tls: certificates === undefined ? undefined : () => certificates.latest,
    userAgent: userAgent(options),
    maxSendBytes: options['grpc.max_send_message_length'] ?? -1,
    maxReceiveBytes: options['grpc.max_receive_message_length'] ?? MAX_RECEIVE_BYTES,
    compression: algorithmOf(algorithm),
    compressFromBytes,
    windowBytes: options['grpc-node.flow_control_window'],
    keepAlive: {
      timeMs: positive(options['grpc.keepalive_time_ms']),
      timeoutMs: options['grpc.keepalive_timeout_ms'] ?? KEEPALIVE_TIMEOUT_MS,
      withoutCalls: options['grpc.keepalive_permit_without_calls'] === 1,
    },
    idleMs: Math.min(
      Math.max(options['grpc.client_idle_timeout_ms'] ?? IDLE_MS, MIN_IDLE_MS),
      MAX_TIMER_MS,
    ),
    maxCalls: MAX_CALLS,
    backoff: {
      initialMs,
      maxMs: Math.max(initialMs, options['grpc.max_reconnect_backoff_ms'] ?? BACKOFF_LIMITS.maxMs),
    },
  };
}

function userAgent(options: ChannelSettings['channelOptions']): string {
  return [
    options['grpc.primary_user_agent'],
    `grpc-node-http2/${process.versions.node}`,
    options['grpc.secondary_user_agent'],
  ]
    .filter(Boolean)
    .join(' ');
}

function algorithmOf(algorithm: number | undefined): 'gzip' | 'deflate' | undefined {
  if (algorithm === compressionAlgorithms.gzip) return 'gzip';
  return algorithm === compressionAlgorithms.deflate ? 'deflate' : undefined;
}

/** Infinity for any value that means never. */
function positive(ms: number | undefined): number {
  return ms === undefined || ms <= 0 ? Infinity : ms;
}
