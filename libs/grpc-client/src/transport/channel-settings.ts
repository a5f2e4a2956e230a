import type { ChannelCredentials, ChannelOptions } from '@grpc/grpc-js';
import type { TlsMaterial } from './http2/http2-settings.js';
import type { Stack } from './stack.js';

/** Certificates that can be read again. */
export interface ChannelCertificates {
  /** The certificates for new connections; the same object as long as they are unchanged. */
  readonly latest: TlsMaterial;
  reload(): void;
}

/** The settings of the connections to one server. */
export interface ChannelSettings {
  readonly endpoint: string;
  readonly credentials: ChannelCredentials;
  readonly channelOptions: ChannelOptions;
  /** Shorter requests are not compressed, where requests are; in bytes. Default: 0. */
  readonly compressFromBytes?: number | undefined;
  /** How long calls wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Those that the credentials are made of, where they can be read again. */
  readonly certificates?: ChannelCertificates | undefined;
  /** Which implementation of gRPC carries the calls. Default: 'grpc-js'. */
  readonly stack?: Stack | undefined;
}
