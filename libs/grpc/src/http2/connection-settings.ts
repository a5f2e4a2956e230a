import { MAX_TIMER_MS } from '@apix/contracts/internal';
import type { ChannelOptions } from '@grpc/grpc-js';

/** What a server demands of its connections; times in milliseconds, Infinity for never. */
export interface ConnectionSettings {
  readonly maxStreams: number;
  readonly windowBytes: number | undefined;
  readonly keepAliveMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxAgeMs: number;
  readonly maxAgeGraceMs: number;
  readonly maxIdleMs: number;
}

/** Options of grpc-js that our own HTTP/2 has as well. */
const KNOWN: ReadonlySet<string> = new Set([
  'grpc.enable_channelz',
  'grpc.keepalive_time_ms',
  'grpc.keepalive_timeout_ms',
  'grpc.max_concurrent_streams',
  'grpc.max_connection_age_grace_ms',
  'grpc.max_connection_age_ms',
  'grpc.max_connection_idle_ms',
  'grpc.max_receive_message_length',
  'grpc.max_send_message_length',
  'grpc-node.flow_control_window',
]);

/** The default of grpc-js. */
const KEEP_ALIVE_TIMEOUT_MS = 20_000;

/** The name of an option that only grpc-js has. */
export function optionOfGrpcJs(options: ChannelOptions): string | undefined {
  return Object.keys(options).find((name) => !KNOWN.has(name));
}

/** The settings, by the options that grpc-js has them in. */
export function connectionSettings(options: ChannelOptions): ConnectionSettings {
  return {
    maxStreams: options['grpc.max_concurrent_streams'] ?? 1_000,
    windowBytes: options['grpc-node.flow_control_window'],
    keepAliveMs: timeOf(options['grpc.keepalive_time_ms']),
    keepAliveTimeoutMs: options['grpc.keepalive_timeout_ms'] ?? KEEP_ALIVE_TIMEOUT_MS,
    maxAgeMs: timeOf(options['grpc.max_connection_age_ms']),
    maxAgeGraceMs: timeOf(options['grpc.max_connection_age_grace_ms']),
    maxIdleMs: timeOf(options['grpc.max_connection_idle_ms']),
  };
}

/** 0, and what is beyond the reach of a timer, is never. */
function timeOf(ms: number = Infinity): number {
  return ms > 0 && ms < MAX_TIMER_MS ? ms : Infinity;
}
