import { type Duration, parseDuration } from '@apix/contracts';
import type { JsonCodecOptions } from '@apix/proto/core';
import { GatewayConfigError } from './errors.js';
import { type KeyRule, keyRuleOf } from './metadata/custom-keys.js';
import { type TrustProxy, type TrustRule, trustRuleOf } from './metadata/forwarded.js';
import { isInternalKey } from './metadata/names.js';
import { RESPONSE_HEADERS } from './metadata/response-headers.js';
import type { ErrorFormat } from './response/error-body.js';

/** How requests become calls and answers become responses. */
export interface TranscodingOptions {
  /**
   * JSON of requests and responses: default values, field names, enums as numbers, unknown
   * members. `unknownFields` holds for query parameters too. Default: as `JsonCodec`.
   */
  readonly json?: JsonCodecOptions;
  /** Form of error bodies. Default: `problem` (RFC 9457). */
  readonly errors?: ErrorFormat;
  /**
   * Lets messages of UNKNOWN, INTERNAL and DATA_LOSS errors of the server reach the caller.
   * Default: false.
   */
  readonly exposeServerErrors?: boolean;
  /** Deadline of unary calls whose caller sends no `Grpc-Timeout`. Default: `30s`. */
  readonly timeout?: Duration;
  /** The longest deadline that a caller may ask for. Default: none. */
  readonly maxTimeout?: Duration;
  /**
   * HTTP headers that are forwarded as metadata of the same name, beside `authorization`,
   * `accept-language`, `traceparent`, `tracestate` and `baggage`. Default: none.
   */
  readonly forwardHeaders?: readonly string[];
  /**
   * What callers may set as metadata by `Grpc-Metadata-<key>`: `true` any key that is not
   * reserved, `false` none, a list these keys alone. Reserved, whatever their spelling, are keys of
   * gRPC, of apix and of the connection, every header that is forwarded under its own name, and the
   * names by which proxies tell who a caller is: docs/gateway-metadata.md lists them. A header that
   * is not taken is refused with 400: to drop it in silence would hide the mistake of a client.
   * Default: true.
   */
  readonly metadata?: boolean | readonly string[];
  /**
   * Response metadata that is sent as an HTTP header of the same name rather than with the
   * prefix `grpc-metadata-`, beside `etag`, `cache-control`, `location` and the like.
   * Default: none.
   */
  readonly responseHeaders?: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed. Default: false, none. */
  readonly trustProxy?: TrustProxy;
  /** `WWW-Authenticate` of a 401 whose server sent none. Default: `Bearer`. */
  readonly challenge?: string;
  /** The largest request body, in bytes. Default: 4 MiB, as gRPC's own. */
  readonly maxBodyBytes?: number;
  /** How long a request may take to send its body. Default: `30s`. */
  readonly bodyTimeout?: Duration;
  /**
   * Takes `application/x-www-form-urlencoded` bodies too. A web page of any origin can send such
   * a form without asking, so keep it off where browsers send credentials by themselves.
   * Default: false.
   */
  readonly forms?: boolean;
  /** Compresses JSON and text responses with br or gzip, where callers accept it. Default: false. */
  readonly compress?: boolean;
  /** How long a stream may be silent before a heartbeat is sent. Default: `15s`. */
  readonly heartbeat?: Duration;
}

/** {@link TranscodingOptions}, complete and checked. */
export interface ResolvedTranscoding {
  readonly json: JsonCodecOptions;
  readonly errors: ErrorFormat;
  readonly exposeServerErrors: boolean;
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  readonly forwardHeaders: ReadonlySet<string>;
  readonly customKeys: KeyRule;
  readonly responseHeaders: ReadonlySet<string>;
  readonly trusts: TrustRule;
  readonly challenge: string;
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
  readonly forms: boolean;
  readonly compress: boolean;
  readonly heartbeatMs: number;
}

const FORWARDED = ['authorization', 'accept-language', 'traceparent', 'tracestate', 'baggage'];

/** @throws GatewayConfigError that lists every option that cannot work. */
export function resolveTranscoding(options: TranscodingOptions): ResolvedTranscoding {
  const mistakes: string[] = [];
  const attempt = <T>(name: string, read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      mistakes.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return otherwise;
    }
  };
  const names = (name: string, extra: readonly string[], own: readonly string[]) => {
    const lower = extra.map((header) => header.toLowerCase());
    for (const header of lower.filter(isInternalKey)) {
      mistakes.push(`${name}: the header ${JSON.stringify(header)} cannot be passed on`);
    }
    return new Set([...own, ...lower]);
  };
  const forwardHeaders = names('forwardHeaders', options.forwardHeaders ?? [], FORWARDED);
  const maxBodyBytes = options.maxBodyBytes ?? 4 * 1024 * 1024;
  if (!Number.isInteger(maxBodyBytes) || maxBodyBytes < 0) {
    mistakes.push(`maxBodyBytes: ${maxBodyBytes} is no number of bytes`);
  }
  const resolved: ResolvedTranscoding = {
    json: options.json ?? {},
    errors: options.errors ?? 'problem',
    exposeServerErrors: options.exposeServerErrors ?? false,
    timeoutMs: attempt('timeout', () => parseDuration(options.timeout ?? '30s'), 0),
    maxTimeoutMs: attempt(
      'maxTimeout',
      () => (options.maxTimeout === undefined ? Infinity : parseDuration(options.maxTimeout)),
      0,
    ),
    forwardHeaders,
    customKeys: attempt(
      'metadata',
      () => keyRuleOf(options.metadata ?? true, forwardHeaders),
      () => 'reserved',
    ),
    responseHeaders: names('responseHeaders', options.responseHeaders ?? [], RESPONSE_HEADERS),
    trusts: attempt(
      'trustProxy',
      () => trustRuleOf(options.trustProxy ?? false),
      () => false,
    ),
    challenge: options.challenge ?? 'Bearer',
    maxBodyBytes,
    bodyTimeoutMs: attempt('bodyTimeout', () => parseDuration(options.bodyTimeout ?? '30s'), 0),
    forms: options.forms ?? false,
    compress: options.compress ?? false,
    heartbeatMs: attempt('heartbeat', () => parseDuration(options.heartbeat ?? '15s'), 0),
  };
  if (mistakes.length > 0) throw new GatewayConfigError(mistakes);
  return resolved;
}
