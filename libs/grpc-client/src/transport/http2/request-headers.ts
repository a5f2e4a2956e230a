import type { Metadata } from '@grpc/grpc-js';
import type { Http2Settings } from './http2-settings.js';

/** The algorithms that answers may use. */
const ACCEPTED = 'identity,deflate,gzip';

/** Of `grpc-timeout`: a number of at most eight digits, and its unit in milliseconds. */
const UNITS: readonly (readonly [string, number])[] = [
  ['m', 1],
  ['S', 1_000],
  ['M', 60_000],
  ['H', 3_600_000],
];

/** Those of the transport, whatever the metadata says. */
const OWN: ReadonlySet<string> = new Set([
  ':method',
  ':scheme',
  ':authority',
  ':path',
  'content-type',
  'te',
  'user-agent',
  'accept-encoding',
  'grpc-accept-encoding',
  'grpc-encoding',
  'grpc-timeout',
]);

/** Of one connection of HTTP/1.1 (RFC 9113, 8.2.2). */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers with which a call begins (PROTOCOL-HTTP2.md), names and values by turns.
 *
 * @param encoding how its messages are compressed; undefined for not at all.
 * @throws Error for a key that HTTP/2 cannot carry.
 */
export function requestHeaders(
  path: string,
  metadata: Metadata,
  deadline: number,
  encoding: string | undefined,
  { authority, userAgent, tls }: Pick<Http2Settings, 'authority' | 'userAgent' | 'tls'>,
): string[] {
  const headers = [
    ':method',
    'POST',
    ':scheme',
    tls === undefined ? 'http' : 'https',
    ':authority',
    authority,
    ':path',
    path,
    'content-type',
    'application/grpc',
    'te',
    'trailers',
    'user-agent',
    userAgent,
    'accept-encoding',
    'identity',
    'grpc-accept-encoding',
    ACCEPTED,
  ];
  if (encoding !== undefined) headers.push('grpc-encoding', encoding);
  if (deadline !== Infinity) headers.push('grpc-timeout', timeoutText(deadline - Date.now()));
  addMetadata(headers, metadata);
  return headers;
}

function addMetadata(headers: string[], metadata: Metadata): void {
  const all = metadata.toHttp2Headers();
  for (const key of Object.keys(all)) {
    if (OWN.has(key)) continue;
    if (FORBIDDEN.has(key)) throw new Error(`HTTP/2 has no place for the header "${key}"`);
    const values = all[key];
    if (Array.isArray(values)) for (const value of values) headers.push(key, value);
    else headers.push(key, String(values));
  }
}

/** Milliseconds as a value of `grpc-timeout`, rounded up. */
export function timeoutText(ms: number): string {
  const left = Math.max(ms, 0);
  for (const [unit, factor] of UNITS) {
    const amount = Math.ceil(left / factor);
    if (amount < 1e8) return `${amount}${unit}`;
  }
  return '99999999H';
}
