import { type Duration, MAX_TIMER_MS, type Mistakes, shownValue } from '@apix/contracts';
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

/** Fills in the options, and adds their mistakes to `mistakes`. */
export function checkListenOptions(
  { port = 50_051, host = '0.0.0.0', tls, credentials, activation }: ListenOptions,
  mistakes: Mistakes,
): ResolvedListenOptions {
  mistakes.count('port', port, { min: 0, max: 65_535 });
  mistakes.text('host', host);
  if (tls !== undefined && credentials !== undefined) {
    mistakes.add('tls, credentials', 'use only one of them');
  }
  if (credentials !== undefined && !isCredentials(credentials)) {
    const kind = shownValue(credentials);
    mistakes.add('credentials', `must be ServerCredentials of grpc-js, not ${kind}`);
  }
  if (activation !== undefined && activation !== false) mistakes.text('activation', activation);
  const files = tls === undefined ? undefined : readPemFiles(tls, mistakes);
  const certificates = tls && files && new Certificates(tls, files);
  const secure = certificates?.credentials ?? credentials ?? ServerCredentials.createInsecure();
  return { port, host, credentials: secure, certificates, activation };
}

/** By shape: a second copy of grpc-js has its own class. */
function isCredentials(value: ServerCredentials | null): boolean {
  return typeof value?._isSecure === 'function';
}

/** Milliseconds, at most the maximum of a timer. */
export function timerMs(where: string, value: Duration, mistakes: Mistakes, min = 0): number {
  return Math.min(mistakes.duration(where, value, { min }), MAX_TIMER_MS);
}
