import type { BackoffLimits } from './backoff.js';
import type { KeepAliveRules } from './keep-alive.js';

/** Certificates as they are at the moment, as PEM. */
export interface TlsMaterial {
  readonly ca: Buffer | undefined;
  readonly identity: { readonly cert: Buffer; readonly key: Buffer } | undefined;
}

/** Where a server listens. */
export type ServerAddress =
  { readonly host: string; readonly port: number } | { readonly path: string };

/** The settings of the connections over HTTP/2 to one server. */
export interface Http2Settings {
  readonly address: ServerAddress;
  /** `:authority` of every call. */
  readonly authority: string;
  /** Asked for each connection. Undefined for plaintext. */
  readonly tls: (() => TlsMaterial) | undefined;
  readonly userAgent: string;
  /** Of a message before compression, in bytes; -1 for no limit. */
  readonly maxSendBytes: number;
  /** Of a message as received, and after decompression, in bytes; -1 for no limit. */
  readonly maxReceiveBytes: number;
  /** How requests are compressed. Undefined: not at all. */
  readonly compression: 'gzip' | 'deflate' | undefined;
  /** Shorter requests are not compressed; in bytes. */
  readonly compressFromBytes: number;
  /** Bytes that the server may send of a stream before they are read. Undefined: 65,535. */
  readonly windowBytes: number | undefined;
  readonly keepAlive: KeepAliveRules;
  /** After how many milliseconds without calls a connection is closed. */
  readonly idleMs: number;
  /** Of one connection; the next one goes over a new one. */
  readonly maxCalls: number;
  readonly backoff: BackoffLimits;
}
