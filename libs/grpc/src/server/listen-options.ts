import { type Mistakes } from '@apix/contracts';
import {
  MAX_TIMER_MS,
  duration,
  isRecord,
  objectWith,
  type Option,
  type OptionTable,
  orFalse,
  type ReadOptions,
  TEXT,
  wholeNumber,
  withDefault,
  type Bounds,
} from '@apix/contracts/internal';
import { ServerCredentials } from '@grpc/grpc-js';
import { Certificates } from './certificates.js';
import { type TlsOptions } from '@apix/grpc-client/transport';
import { readPemFiles } from '@apix/grpc-client/internal';

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

/** The option `tls`, read with its files. */
const TLS: Option<Certificates> = {
  schema: undefined,
  read(value, _, mistakes) {
    const files = readPemFiles(value, mistakes);
    return files && new Certificates(value as TlsOptions, files);
  },
};

/** The allowed values of where to listen, and how. */
export const LISTEN_OPTIONS = {
  port: withDefault(wholeNumber({ min: 0, max: 65_535 }), 50_051),
  host: withDefault(TEXT, '0.0.0.0'),
  tls: TLS,
  // By shape: a second copy of grpc-js has its own class.
  credentials: objectWith<ServerCredentials>('ServerCredentials of grpc-js', '_isSecure'),
  activation: orFalse(TEXT),
} satisfies OptionTable<ListenOptions>;

export function refuseTwoCredentials(options: ListenOptions, mistakes: Mistakes): void {
  if (!isRecord(options)) return;
  if (options.tls === undefined || options.credentials === undefined) return;
  mistakes.add('tls, credentials', 'use only one of them');
}

/** The options with credentials in any case. */
export function listeningOf({
  port,
  host,
  tls: certificates,
  credentials = ServerCredentials.createInsecure(),
  activation,
}: ReadOptions<typeof LISTEN_OPTIONS>): ResolvedListenOptions {
  return {
    port,
    host,
    credentials: certificates?.credentials ?? credentials,
    certificates,
    activation,
  };
}

/** A duration in milliseconds, at most the maximum of a timer. */
export function timer(bounds?: Bounds): Option<number> {
  const { schema, read } = duration(bounds);
  return {
    schema,
    read(value, at, mistakes) {
      const ms = read(value, at, mistakes);
      return ms === undefined ? undefined : Math.min(ms, MAX_TIMER_MS);
    },
  };
}
