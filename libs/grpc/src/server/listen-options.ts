import { ServerCredentials } from '@grpc/grpc-js';
import { Certificates } from './certificates.js';
import { type TlsOptions, readPemFiles } from './tls.js';

/** Where a gRPC server listens, and how. */
export interface ListenOptions {
  /** 0 picks a free port. Default: 50051. */
  readonly port?: number;
  /** The address to listen at. Default: '0.0.0.0', every IPv4 address. */
  readonly host?: string;
  /** Certificates for TLS and mutual TLS. Default: plaintext. */
  readonly tls?: TlsOptions;
  /** Credentials of grpc-js, instead of `tls`. Default: none. */
  readonly credentials?: ServerCredentials;
  /**
   * Which socket of systemd's socket activation to serve instead of `host` and `port`: its name,
   * or false for none. Default: the one called `grpc`.
   */
  readonly activation?: string | false;
}

export interface ResolvedListenOptions {
  readonly port: number;
  readonly host: string;
  readonly credentials: ServerCredentials;
  /** Where the credentials come from `tls`. */
  readonly certificates: Certificates | undefined;
  readonly activation: string | false | undefined;
}

/** Fills the options in, and adds what is wrong with them to `mistakes`. */
export function checkListenOptions(
  { port = 50_051, host = '0.0.0.0', tls, credentials, activation }: ListenOptions,
  mistakes: string[],
): ResolvedListenOptions {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    mistakes.push(`port: ${String(port)} is none; write an integer from 0 to 65535`);
  }
  if (host === '') mistakes.push('host: is empty; leave it out to listen at every address');
  if (tls !== undefined && credentials !== undefined) {
    mistakes.push('give either tls or credentials');
  }
  const files = tls === undefined ? undefined : readPemFiles(tls, mistakes);
  const certificates = tls && files && new Certificates(tls, files);
  const secure = certificates?.credentials ?? credentials ?? ServerCredentials.createInsecure();
  return { port, host, credentials: secure, certificates, activation };
}
