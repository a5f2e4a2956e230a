import type { Metadata } from '@grpc/grpc-js';
import { isInternalKey } from './names.js';

/** HTTP response headers that a server may set by metadata of the same name. */
export const RESPONSE_HEADERS: readonly string[] = [
  'cache-control',
  'content-disposition',
  'content-language',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'vary',
  'www-authenticate',
];

/** Response metadata by which a server chooses the HTTP status, as grpc-gateway's guide has it. */
// Why: docs/decisions/0036
const STATUS_KEY = 'x-http-code';

const VALUE = /^[\t -~]*$/;
/** Those that say all without headers of their own beyond Location. */
const SUCCESS = /^(?:20[0-4]|30[12378])$/;

/** The HTTP status of a success: 200, or what the server chose: 201, 202, 204, a redirect. */
export function successStatus(metadata: Metadata | undefined): number {
  const [chosen] = metadata?.get(STATUS_KEY) ?? [];
  return typeof chosen === 'string' && SUCCESS.test(chosen) ? Number(chosen) : 200;
}

/**
 * Response metadata as HTTP headers: `<prefix><key>`, except for the keys that are HTTP headers
 * in their own right. Internal keys stay inside.
 */
export function headersOf(
  metadata: Metadata | undefined,
  prefix: 'grpc-metadata-' | 'grpc-trailer-',
  plain: ReadonlySet<string>,
): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  if (metadata === undefined) return headers;
  for (const key of Object.keys(metadata.getMap())) {
    if (isInternalKey(key) || key === 'date' || key === STATUS_KEY) continue;
    const values = metadata
      .get(key)
      .map((it) => (typeof it === 'string' ? it : it.toString('base64')));
    const name = plain.has(key) ? key : `${prefix}${key}`;
    headers.set(
      name,
      values.filter((value) => VALUE.test(value)),
    );
  }
  return headers;
}
