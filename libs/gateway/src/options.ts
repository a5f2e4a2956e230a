import { type Duration, type Mistakes, shownValue } from '@apix/contracts';
import {
  DURATION,
  FLAG,
  HEADER_VALUE,
  type Option,
  type OptionTable,
  type ReadOptions,
  anyValue,
  choice,
  duration,
  filledSection,
  parsedOption,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { type JsonCodecOptions } from '@apix/proto/core';
import { JSON_CODEC_OPTIONS } from '@apix/proto/internal';
import { isInternalKey, keyRuleOf } from './metadata/keys.js';
import { type TrustProxy, trustRuleOf } from './metadata/trust-proxy.js';
import { RESPONSE_HEADERS } from './metadata/response-headers.js';
import { type AllowedOrigins, checkOrigins } from './request/origins.js';

/** `problem`: a problem document (RFC 9457); `status`: google.rpc.Status as JSON. */
export type ErrorFormat = 'problem' | 'status';

/** How requests become calls and answers become responses. */
export interface TranscodingOptions {
  /**
   * JSON of requests and responses: default values, field names, enums as numbers, unknown members.
   * `unknownFields` applies to query parameters too. Default: as `JsonCodec`.
   */
  readonly json?: JsonCodecOptions;
  /** Form of error bodies. Default: `problem` (RFC 9457). */
  readonly errors?: ErrorFormat;
  /**
   * Lets messages of UNKNOWN, INTERNAL and DATA_LOSS errors of the server reach the caller.
   * Default: false.
   */
  readonly exposeServerErrors?: boolean;
  /**
   * Deadline of unary calls whose caller sends no `Grpc-Timeout`, from the headers of the request on, so
   * that it covers body and answer together. Default: `30s`.
   */
  readonly timeout?: Duration;
  /** The longest deadline that a caller may ask for. Default: none. */
  readonly maxTimeout?: Duration;
  /**
   * HTTP headers that are forwarded as metadata of the same name, in addition to `authorization`,
   * `accept-language`, `traceparent`, `tracestate` and `baggage`. Default: none.
   */
  readonly forwardHeaders?: readonly string[];
  /**
   * Which metadata callers may set with `Grpc-Metadata-<key>`: `true` any key that is not reserved, `false`
   * none, a list only these keys. Reserved, whatever their spelling, are keys of gRPC, of apix and of the
   * connection, every header that is forwarded under its own name, and the names by which proxies identify
   * callers: docs/gateway-metadata.md lists them. A header that is not accepted is refused with 400:
   * dropping it silently would hide the mistake of a client. Default: true.
   */
  readonly metadata?: boolean | readonly string[];
  /**
   * Response metadata that is sent as an HTTP header of the same name rather than with the prefix
   * `grpc-metadata-`, in addition to `etag`, `cache-control`, `location` and the like. Default: none.
   */
  readonly responseHeaders?: readonly string[];
  /** Proxies whose `X-Forwarded-For` is trusted. Default: false, none. */
  readonly trustProxy?: TrustProxy;
  /** `WWW-Authenticate` of a 401 whose server sent none. Default: `Bearer`. */
  readonly challenge?: string;
  /** The largest request body, in bytes. Default: 4 MiB, as gRPC's own. */
  readonly maxBodyBytes?: number;
  /**
   * Limit of all request bodies and WebSocket messages together that wait to be decoded, in bytes. A
   * request that would exceed it gets a 503 with `Retry-After`, and the others continue. Default: 64 MiB,
   * or `maxBodyBytes` if that is more.
   */
  readonly maxBodyBytesInAll?: number;
  /** How long a request may take to send its body. Default: `30s`. */
  readonly bodyTimeout?: Duration;
  /**
   * Takes `application/x-www-form-urlencoded` bodies too. A web page of any origin can send such
   * a form without asking, so set `origins` where browsers send credentials by themselves.
   * Default: false.
   */
  readonly forms?: boolean;
  /**
   * Which web pages may send requests for which browsers need no preflight: a request without a body, a
   * form, a raw body. Other pages are refused with 403; clients other than browsers always may. `same`, a
   * list of origins (of which `same` may be one), a function, or `any`. Default: `same` if `forwardHeaders`
   * has `cookie`, else `any`.
   */
  readonly origins?: AllowedOrigins;
  /** Compresses JSON and text responses with br or gzip, where callers accept it. Default: false. */
  readonly compress?: boolean;
  /** How long a stream may be silent before a heartbeat is sent. Default: `15s`. */
  readonly heartbeat?: Duration;
}

const MIB = 1024 * 1024;

const FORWARDED = ['authorization', 'accept-language', 'traceparent', 'tracestate', 'baggage'];

/** Names of headers, read in lower case. */
const HEADERS: Option<readonly string[]> = {
  schema: undefined,
  read(given, at, mistakes) {
    if (!Array.isArray(given)) {
      mistakes.add(at, `must be a list of header names, not ${shownValue(given)}`);
      return undefined;
    }
    return given.flatMap((name: unknown) => {
      if (typeof name === 'string' && !isInternalKey(name.toLowerCase())) {
        return [name.toLowerCase()];
      }
      mistakes.add(at, `${shownValue(name)} is not a header that can be passed on`);
      return [];
    });
  },
};

/** An option for which web pages are let in. */
export const ORIGINS: Option<AllowedOrigins> = {
  schema: undefined,
  read(origins, at, mistakes) {
    checkOrigins(at, origins, mistakes);
    return origins as AllowedOrigins;
  },
};

const NO_PROXY = trustRuleOf(false);

/** The allowed values of each option. */
export const TRANSCODING_OPTIONS = {
  json: filledSection(JSON_CODEC_OPTIONS),
  errors: withDefault(choice(['problem', 'status']), 'problem'),
  exposeServerErrors: withDefault(FLAG, false),
  timeout: withDefault(DURATION, 30_000),
  maxTimeout: withDefault(DURATION, Infinity),
  forwardHeaders: withDefault(HEADERS, []),
  // Read by the headers that are forwarded.
  metadata: withDefault(anyValue<boolean | readonly string[]>(), true),
  responseHeaders: withDefault(HEADERS, []),
  trustProxy: withDefault(
    parsedOption((value) => trustRuleOf(value as TrustProxy)),
    NO_PROXY,
  ),
  challenge: withDefault(HEADER_VALUE, 'Bearer'),
  maxBodyBytes: withDefault(wholeNumber({ min: 0 }), 4 * MIB),
  // Read by the limit of one body.
  maxBodyBytesInAll: anyValue<number>(),
  bodyTimeout: withDefault(DURATION, 30_000),
  forms: withDefault(FLAG, false),
  origins: ORIGINS,
  compress: withDefault(FLAG, false),
  heartbeat: withDefault(duration({ min: 1 }), 15_000),
} satisfies OptionTable<TranscodingOptions>;

/** {@link TranscodingOptions}, complete and checked; durations in milliseconds. */
export type ResolvedTranscoding = ReturnType<typeof resolveTranscoding>;

/** What the options that were read mean together; what cannot work is recorded as a mistake. */
export function resolveTranscoding(
  read: ReadOptions<typeof TRANSCODING_OPTIONS>,
  mistakes: Mistakes,
) {
  const { maxBodyBytes, metadata } = read;
  const forwardHeaders: ReadonlySet<string> = new Set([...FORWARDED, ...read.forwardHeaders]);
  const responseHeaders: ReadonlySet<string> = new Set([
    ...RESPONSE_HEADERS,
    ...read.responseHeaders,
  ]);
  const inAll = read.maxBodyBytesInAll ?? Math.max(64 * MIB, maxBodyBytes);
  const customKeys = mistakes.attempt(
    'metadata',
    () => keyRuleOf(metadata, forwardHeaders),
    () => 'reserved',
  );
  return {
    ...read,
    forwardHeaders,
    customKeys,
    responseHeaders,
    maxBodyBytesInAll:
      wholeNumber({ min: maxBodyBytes }).read(inAll, 'maxBodyBytesInAll', mistakes) ?? maxBodyBytes,
    origins: read.origins ?? (forwardHeaders.has('cookie') ? 'same' : 'any'),
  };
}
