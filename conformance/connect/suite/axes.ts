/** The axes along which the suite expands its cases; the numbers are those of its config.proto. */
export const Version = { http1: 1, http2: 2 } as const;
export const Protocol = { connect: 1, grpc: 2, grpcWeb: 3 } as const;
export const Codec = { proto: 1, json: 2 } as const;
export const Compression = { identity: 1, gzip: 2, br: 3, zstd: 4, deflate: 5 } as const;
export const Stream = { unary: 1, client: 2, server: 3, halfDuplex: 4, fullDuplex: 5 } as const;
export const Mode = { client: 1, server: 2 } as const;

type Of<Axis> = Axis[keyof Axis];
export type Version = Of<typeof Version>;
export type Protocol = Of<typeof Protocol>;
export type Codec = Of<typeof Codec>;
export type Compression = Of<typeof Compression>;
export type Stream = Of<typeof Stream>;
export type Mode = Of<typeof Mode>;

const PROTOCOL_NAMES: Readonly<Record<Protocol, string>> = {
  1: 'PROTOCOL_CONNECT',
  2: 'PROTOCOL_GRPC',
  3: 'PROTOCOL_GRPC_WEB',
};
const CODEC_NAMES: Readonly<Record<Codec, string>> = { 1: 'CODEC_PROTO', 2: 'CODEC_JSON' };
const COMPRESSION_NAMES: Readonly<Record<Compression, string>> = {
  1: 'COMPRESSION_IDENTITY',
  2: 'COMPRESSION_GZIP',
  3: 'COMPRESSION_BR',
  4: 'COMPRESSION_ZSTD',
  5: 'COMPRESSION_DEFLATE',
};

/** What a server can do: the `features` of a configuration of the official runner, with its defaults. */
export interface Features {
  readonly compressions: readonly Compression[];
  readonly codecs: readonly Codec[];
  /** Default: false. */
  readonly halfDuplexOverHttp1?: boolean;
  /** Default: false. */
  readonly clientCertificates?: boolean;
}

/** One way of making calls. */
export interface Configuration {
  readonly version: Version;
  readonly protocol: Protocol;
  readonly codec: Codec;
  readonly compression: Compression;
  readonly stream: Stream;
  readonly isTls: boolean;
  readonly hasClientCertificate: boolean;
  readonly usesGet: boolean;
  readonly hasReceiveLimit: boolean;
}

const EITHER = [false, true] as const;

/** All ways that are possible: gRPC needs HTTP/2, as full duplex does; only Connect has GET. */
export function configurations(features: Features): Configuration[] {
  const {
    codecs,
    compressions,
    halfDuplexOverHttp1 = false,
    clientCertificates = false,
  } = features;
  const all: Configuration[] = [];
  for (const version of Object.values(Version))
    for (const isTls of EITHER)
      for (const hasClientCertificate of isTls && clientCertificates ? EITHER : [false])
        for (const protocol of Object.values(Protocol)) {
          if (protocol === Protocol.grpc && version !== Version.http2) continue;
          for (const stream of Object.values(Stream)) {
            const isHttp1 = version === Version.http1;
            if (isHttp1 && stream === Stream.fullDuplex) continue;
            if (isHttp1 && stream === Stream.halfDuplex && !halfDuplexOverHttp1) continue;
            for (const codec of codecs)
              for (const compression of compressions)
                for (const usesGet of protocol === Protocol.connect ? EITHER : [false])
                  for (const hasReceiveLimit of EITHER)
                    all.push({
                      version,
                      protocol,
                      codec,
                      compression,
                      stream,
                      isTls,
                      hasClientCertificate,
                      usesGet,
                      hasReceiveLimit,
                    });
          }
        }
  return all;
}

/** The parts of a case's name that say how it is called, but for those that its suite fixes. */
export function axesOf(
  way: Configuration,
  isFixed: Readonly<Record<'version' | 'protocol' | 'codec' | 'compression' | 'tls', boolean>>,
): string[] {
  return [
    ...(isFixed.version ? [] : [`HTTPVersion:${way.version}`]),
    ...(isFixed.protocol ? [] : [`Protocol:${PROTOCOL_NAMES[way.protocol]}`]),
    ...(isFixed.codec ? [] : [`Codec:${CODEC_NAMES[way.codec]}`]),
    ...(isFixed.compression ? [] : [`Compression:${COMPRESSION_NAMES[way.compression]}`]),
    ...(isFixed.tls ? [] : [`TLS:${String(way.isTls)}`]),
  ];
}
