import type { Metadata } from '@grpc/grpc-js';
import type { OutgoingHttpHeaders } from 'node:http2';
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

/**
 * The headers with which a call begins (PROTOCOL-HTTP2.md).
 *
 * @param encoding how its messages are compressed; undefined for not at all.
 */
export function requestHeaders(
  path: string,
  metadata: Metadata,
  deadline: number,
  encoding: string | undefined,
  { authority, userAgent, tls }: Pick<Http2Settings, 'authority' | 'userAgent' | 'tls'>,
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = metadata.toHttp2Headers();
  headers[':method'] = 'POST';
  headers[':scheme'] = tls === undefined ? 'http' : 'https';
  headers[':authority'] = authority;
  headers[':path'] = path;
  headers['content-type'] = 'application/grpc';
  headers['te'] = 'trailers';
  headers['user-agent'] = userAgent;
  headers['accept-encoding'] = 'identity';
  headers['grpc-accept-encoding'] = ACCEPTED;
  if (encoding === undefined) delete headers['grpc-encoding'];
  else headers['grpc-encoding'] = encoding;
  if (deadline !== Infinity) headers['grpc-timeout'] = timeoutText(deadline - Date.now());
  return headers;
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
