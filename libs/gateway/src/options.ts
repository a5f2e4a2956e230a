import { validateHeaderValue } from 'node:http';
import { type Duration, type Mistakes, shownValue } from '@apix/contracts';
import type { JsonCodecOptions } from '@apix/proto/core';
import { type KeyRule, keyRuleOf } from './metadata/custom-keys.js';
import { type TrustProxy, type TrustRule, trustRuleOf } from './metadata/forwarded.js';
import { isInternalKey } from './metadata/names.js';
import { RESPONSE_HEADERS } from './metadata/response-headers.js';
import { type AllowedOrigins, checkOrigins } from './request/origins.js';
import type { ErrorFormat } from './response/error-body.js';

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
  readonly maxBodyBytesInAll: number;
  readonly bodyTimeoutMs: number;
  readonly forms: boolean;
  readonly origins: AllowedOrigins;
  readonly compress: boolean;
  readonly heartbeatMs: number;
}

const MIB = 1024 * 1024;

const FORWARDED = ['authorization', 'accept-language', 'traceparent', 'tracestate', 'baggage'];

/** Options that are left out have their default; what cannot work is noted as a mistake. */
export function readTranscoding(
  options: TranscodingOptions,
  mistakes: Mistakes,
): ResolvedTranscoding {
  const { maxTimeout } = options;
  const maxBodyBytes = mistakes.count('maxBodyBytes', options.maxBodyBytes ?? 4 * MIB, { min: 0 });
  const forwardHeaders = readHeaders('forwardHeaders', options.forwardHeaders, FORWARDED, mistakes);
  return {
    json: readJson(options.json ?? {}, mistakes),
    errors: mistakes.choice('errors', options.errors ?? 'problem', ['problem', 'status']),
    exposeServerErrors: mistakes.flag('exposeServerErrors', options.exposeServerErrors ?? false),
    timeoutMs: mistakes.duration('timeout', options.timeout ?? '30s'),
    maxTimeoutMs: maxTimeout === undefined ? Infinity : mistakes.duration('maxTimeout', maxTimeout),
    forwardHeaders,
    customKeys: mistakes.attempt(
      'metadata',
      () => keyRuleOf(options.metadata ?? true, forwardHeaders),
      () => 'reserved',
    ),
    responseHeaders: readHeaders(
      'responseHeaders',
      options.responseHeaders,
      RESPONSE_HEADERS,
      mistakes,
    ),
    trusts: mistakes.attempt(
      'trustProxy',
      () => trustRuleOf(options.trustProxy ?? false),
      () => false,
    ),
    challenge: readChallenge(options.challenge ?? 'Bearer', mistakes),
    maxBodyBytes,
    maxBodyBytesInAll: mistakes.count(
      'maxBodyBytesInAll',
      options.maxBodyBytesInAll ?? Math.max(64 * MIB, maxBodyBytes),
      { min: maxBodyBytes },
    ),
    bodyTimeoutMs: mistakes.duration('bodyTimeout', options.bodyTimeout ?? '30s'),
    forms: mistakes.flag('forms', options.forms ?? false),
    origins: readOrigins(options.origins, forwardHeaders, mistakes),
    compress: mistakes.flag('compress', options.compress ?? false),
    heartbeatMs: mistakes.duration('heartbeat', options.heartbeat ?? '15s', { min: 1 }),
  };
}

function readOrigins(
  origins: AllowedOrigins | undefined,
  forwardHeaders: ReadonlySet<string>,
  mistakes: Mistakes,
): AllowedOrigins {
  if (origins === undefined) return forwardHeaders.has('cookie') ? 'same' : 'any';
  checkOrigins('origins', origins, mistakes);
  return origins;
}

function readJson(json: JsonCodecOptions, mistakes: Mistakes): JsonCodecOptions {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    mistakes.add('json', `must be an object of options, not ${shownValue(json)}`);
    return {};
  }
  const { emitDefaults = 'none', unknownFields = 'refuse', maxDepth = 100 } = json;
  return {
    emitDefaults: mistakes.choice('json.emitDefaults', emitDefaults, ['none', 'values', 'all']),
    protoNames: mistakes.flag('json.protoNames', json.protoNames ?? false),
    enumsAsNumbers: mistakes.flag('json.enumsAsNumbers', json.enumsAsNumbers ?? false),
    unknownFields: mistakes.choice('json.unknownFields', unknownFields, ['refuse', 'ignore']),
    maxDepth: mistakes.count('json.maxDepth', maxDepth, { min: 1 }),
  };
}

/** Names of headers in lower case, with those that always are among them. */
function readHeaders(
  where: string,
  given: readonly string[] = [],
  own: Iterable<string>,
  mistakes: Mistakes,
): ReadonlySet<string> {
  const names = new Set(own);
  if (!Array.isArray(given)) {
    mistakes.add(where, `must be a list of header names, not ${shownValue(given)}`);
    return names;
  }
  for (const name of given as readonly unknown[]) {
    if (typeof name !== 'string' || isInternalKey(name.toLowerCase())) {
      mistakes.add(where, `${shownValue(name)} is not a header that can be passed on`);
    } else names.add(name.toLowerCase());
  }
  return names;
}

function readChallenge(challenge: string, mistakes: Mistakes): string {
  const text = mistakes.text('challenge', challenge);
  // Thrown at the first 401 otherwise.
  mistakes.attempt('challenge', () => validateHeaderValue('www-authenticate', text), undefined);
  return text;
}
