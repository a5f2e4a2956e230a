import { type Code, codeOfHttpStatus, httpStatusOf } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import { isHttpName, isInternalKey, words } from './keys.js';

/** HTTP response headers that a server may set by metadata of the same name. */
export const RESPONSE_HEADERS: readonly string[] = words(`
  cache-control content-disposition content-language etag expires last-modified link location
  retry-after vary www-authenticate
`);

/** Response metadata by which a server chooses the HTTP status, as grpc-gateway's guide has it. */
// Why: docs/decisions/0036
const STATUS_KEY = 'x-http-code';

const VALUE = /^[\t -~]*$/;
/** Those that say all without headers of their own beyond Location. */
const SUCCESS = /^(?:20[0-4]|30[12378])$/;
const FAILURE = /^[45]\d\d$/;

/**
 * The capacity of a response, in bytes as HTTP/2 counts them, and in fields. Node gives up a response of
 * more than 65,535 bytes, and its clients one of more than 128 fields; the rest is left to the headers of
 * the gateway and of middleware.
 */
// Why: docs/decisions/0125
const ROOM = {
  'grpc-metadata-': { bytes: 32 * 1024, fields: 60 },
  'grpc-trailer-': { bytes: 16 * 1024, fields: 40 },
} as const;

/** The size of a field in addition to its name and value (RFC 9113 §6.5.2). */
const FIELD_OVERHEAD = 32;

/** The HTTP status of a success: 200, or what the server chose: 201, 202, 204, a redirect. */
export function successStatus(metadata: Metadata | undefined): number {
  const [chosen] = metadata?.get(STATUS_KEY) ?? [];
  return typeof chosen === 'string' && SUCCESS.test(chosen) ? Number(chosen) : 200;
}

/** The HTTP status of a failure: the one of its code, or what the server chose, if that belongs to the same code. */
// Why: docs/decisions/0036
export function failureStatus(code: Code, trailers: Metadata): number {
  const [chosen] = trailers.get(STATUS_KEY);
  if (typeof chosen !== 'string' || !FAILURE.test(chosen)) return httpStatusOf(code);
  const status = Number(chosen);
  return codeOfHttpStatus(status) === code ? status : httpStatusOf(code);
}

/**
 * Response metadata as HTTP headers: `<prefix><key>`, except for the keys that are HTTP headers in their
 * own right. Internal keys stay inside; keys for which there is no room are left out, with one warning of
 * the process.
 */
export function headersOf(
  metadata: Metadata | undefined,
  prefix: keyof typeof ROOM,
  plain: ReadonlySet<string>,
): Map<string, string[]> {
  const nameOf = (key: string): string | undefined => {
    if (isInternalKey(key) || key === 'date' || key === STATUS_KEY) return undefined;
    return plain.has(key) ? key : `${prefix}${key}`;
  };
  return withRoom(metadata, nameOf, textOf, ROOM[prefix]);
}

/**
 * Response metadata of a protocol that has it in headers of the same names, or of these names after `prefix`: without
 * names of HTTP itself, of CORS and of cookies, unless `plain` has them.
 */
// Why: docs/decisions/0496
export function rpcHeadersOf(
  metadata: Metadata | undefined,
  prefix: '' | 'trailer-',
  plain: ReadonlySet<string>,
): Map<string, string[]> {
  const nameOf = (key: string): string | undefined =>
    isForCaller(key, plain) ? `${prefix}${key}` : undefined;
  const room = ROOM[prefix === '' ? 'grpc-metadata-' : 'grpc-trailer-'];
  return withRoom(metadata, nameOf, unpaddedTextOf, room);
}

/** The same for trailers in a body, which has room for all. */
export function rpcTrailersOf(
  metadata: Metadata | undefined,
  plain: ReadonlySet<string>,
): Map<string, string[]> {
  const nameOf = (key: string): string | undefined => (isForCaller(key, plain) ? key : undefined);
  return withRoom(metadata, nameOf, unpaddedTextOf, { bytes: Infinity, fields: Infinity });
}

function isForCaller(key: string, plain: ReadonlySet<string>): boolean {
  if (isInternalKey(key) || key === STATUS_KEY || OWN.has(key)) return false;
  return plain.has(key) || !(isHttpName(key) || key === 'set-cookie');
}

/** Headers that the gateway and Node set themselves. */
const OWN = new Set(words('date x-request-id x-content-type-options accept-post'));

type MetadataNaming = (key: string) => string | undefined;
type MetadataText = (value: string | Buffer) => string;

const textOf: MetadataText = (value) =>
  typeof value === 'string' ? value : value.toString('base64');

/** Binary values without padding, as gRPC and Connect want them. */
const unpaddedTextOf: MetadataText = (value) =>
  typeof value === 'string' ? value : value.toString('base64').replace(/=+$/, '');

function withRoom(
  metadata: Metadata | undefined,
  nameOf: MetadataNaming,
  valueOf: MetadataText,
  room: { readonly bytes: number; readonly fields: number },
): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  if (metadata === undefined) return headers;
  let { bytes, fields } = room;
  for (const key of Object.keys(metadata.getMap())) {
    const name = nameOf(key);
    if (name === undefined) continue;
    const sound = metadata
      .get(key)
      .map((it) => valueOf(it))
      .filter((value) => VALUE.test(value));
    const size = sound.reduce((sum, { length }) => sum + name.length + length + FIELD_OVERHEAD, 0);
    if (size > bytes || sound.length > fields) {
      warn(key);
      continue;
    }
    bytes -= size;
    fields -= sound.length;
    headers.set(name, sound);
  }
  return headers;
}

let warned = false;

function warn(key: string): void {
  if (warned) return;
  warned = true;
  const message = `gateway: metadata "${key}" was left out: a response has no room for all metadata of its call`;
  process.emitWarning(message, { code: 'APIX_METADATA_LEFT_OUT' });
}
