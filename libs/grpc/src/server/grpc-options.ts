import { type ChannelOptions, ServerCredentials } from '@grpc/grpc-js';

export interface GrpcOptions {
  /** 0 picks a free port. Default: 50051. */
  readonly port?: number;
  /** The address to listen at. Default: '0.0.0.0', every IPv4 address. */
  readonly host?: string;
  /** TLS and mTLS. Default: plaintext. */
  readonly credentials?: ServerCredentials;
  /** The largest request message, in bytes. Default: 4 MiB. */
  readonly maxReceiveBytes?: number;
  /** The largest response message, in bytes. Default: unlimited, as grpc-js has it. */
  readonly maxSendBytes?: number;
  /** Further options of grpc-js; they win. Default: none. */
  readonly channelOptions?: ChannelOptions;
}

export interface ResolvedGrpcOptions {
  readonly port: number;
  readonly host: string;
  readonly credentials: ServerCredentials;
  readonly channelOptions: ChannelOptions;
}

const MIB = 1024 * 1024;

/** Fills the options in, with limits that keep a stranger from holding a server up. */
export function resolveGrpcOptions(options: GrpcOptions): ResolvedGrpcOptions {
  return {
    port: options.port ?? 50_051,
    host: options.host ?? '0.0.0.0',
    credentials: options.credentials ?? ServerCredentials.createInsecure(),
    channelOptions: {
      'grpc.max_receive_message_length': options.maxReceiveBytes ?? 4 * MIB,
      'grpc.max_send_message_length': options.maxSendBytes ?? -1,
      // A connection whose other end has silently gone is noticed, and its calls are cancelled.
      'grpc.keepalive_time_ms': 60_000,
      'grpc.keepalive_timeout_ms': 20_000,
      ...options.channelOptions,
    },
  };
}
