import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Code } from '@apix/contracts';
import { MAX_TIMER_MS, FORWARDED_KEY, authorityOf, headerValues } from '@apix/contracts/internal';
import { Metadata } from '@grpc/grpc-js';
import { badRequest, quotedInput, refusal } from '../errors.js';
import type { ResolvedTranscoding } from '../options.js';
import type { TrustRule } from './trust-proxy.js';
import { isHttpName, words } from './keys.js';

const PREFIX = 'grpc-metadata-';
const TEXT = /^[ -~]*$/;
const TRACE_CONTEXT = new Set(['traceparent', 'tracestate', 'baggage']);
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Keys that Node's HTTP/2 sends with one value at most; with two the call would break. */
export const SINGLE_VALUE: ReadonlySet<string> = new Set(
  words(`
  access-control-allow-credentials access-control-max-age access-control-request-method age
  authorization content-encoding content-language content-location content-md5 content-range date
  dnt etag expires from if-match if-modified-since if-none-match if-range if-unmodified-since
  last-modified location max-forwards range referer retry-after tk upgrade-insecure-requests
  x-content-type-options
`),
);

/** Which headers go on, which keys callers may set, and whose word about addresses counts. */
type RequestMetadataRules = Pick<
  ResolvedTranscoding,
  'forwardHeaders' | 'customKeys' | 'trustProxy'
>;

/**
 * The metadata of the call that a request represents: the headers to forward under their own name, each as
 * often as it came and as the app's middleware left it; `Grpc-Metadata-<key>` as `<key>`; the request id;
 * and the addresses the request came through.
 *
 * @throws HttpRefusal for a value that metadata cannot hold, or a key that callers must not set.
 */
export function requestMetadata(
  req: IncomingMessage,
  requestId: string,
  rules: RequestMetadataRules,
): Metadata {
  const metadata = new Metadata();
  const { forwardHeaders } = rules;
  const isWanted = (name: string): boolean => forwardHeaders.has(name) || name.startsWith(PREFIX);
  for (const [name, values] of currentHeaders(req, isWanted)) {
    for (const value of values) {
      if (name.startsWith(PREFIX)) addCustom(metadata, name.slice(PREFIX.length), value, rules);
      else addHeader(metadata, name, value);
    }
  }
  addOwn(metadata, req, requestId, rules);
  return metadata;
}

/**
 * The metadata of a call whose protocol has it in headers of the same names: those that are forwarded, and all others
 * that callers may set. Headers that belong to HTTP, to the protocol or to a proxy are left out, as browsers and
 * proxies add them unasked.
 *
 * @throws HttpRefusal for a value that metadata cannot hold.
 */
// Why: docs/decisions/0496
export function rpcMetadata(
  req: IncomingMessage,
  requestId: string,
  rules: RequestMetadataRules,
): Metadata {
  const metadata = new Metadata();
  const { forwardHeaders, customKeys } = rules;
  const isWanted = (name: string): boolean =>
    forwardHeaders.has(name) || (!isHttpName(name) && customKeys(name) === undefined);
  for (const [name, values] of currentHeaders(req, isWanted)) {
    for (const value of values) {
      if (forwardHeaders.has(name)) addHeader(metadata, name, value);
      else if (!name.endsWith('-bin')) addText(metadata, name, value, name);
      // Proxies join the values of a header (gRPC over HTTP/2, "Custom-Metadata").
      else for (const one of value.split(',')) addValue(metadata, name, one.trim(), name);
    }
  }
  addOwn(metadata, req, requestId, rules);
  return metadata;
}

/** What the gateway itself says of a request. */
function addOwn(
  metadata: Metadata,
  req: IncomingMessage,
  requestId: string,
  rules: RequestMetadataRules,
): void {
  // The server must not take the gateway for its caller.
  metadata.set(FORWARDED_KEY, '1');
  metadata.set('x-request-id', requestId);
  const remote = req.socket.remoteAddress ?? '';
  const { 'x-forwarded-for': claimed } = req.headers;
  const chain = callerChain(
    typeof claimed === 'string' ? claimed : undefined,
    remote,
    rules.trustProxy,
  );
  if (chain[0] !== '') metadata.set('x-forwarded-for', chain.join(', '));
  const host = authorityOf(req);
  if (TEXT.test(host)) metadata.set('x-forwarded-host', host);
}

/**
 * The addresses a request came through, the caller first, as far as they can be trusted: the connection's
 * peer, and, if that is trusted, the peer that it reports, and so on. Entries further left in
 * `X-Forwarded-For` could be forged and are dropped.
 */
export function callerChain(
  forwardedFor: string | undefined,
  remote: string,
  trusts: TrustRule,
): string[] {
  const chain = [plainAddress(remote)];
  if (forwardedFor === undefined) return chain;
  const claimed = forwardedFor.split(',');
  for (let hops = 0; claimed.length > 0 && trusts(chain[0] ?? '', hops); hops += 1) {
    const address = claimedAddress(claimed.pop() ?? '');
    // The origin of the entries left of it is unknown, because no proxy saw an address there.
    if (address === undefined) break;
    chain.unshift(address);
  }
  return chain;
}

/** With a port, as some proxies write it, or without; undefined if it is not an address. */
function claimedAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = plainAddress(bracketed ?? withPort ?? text);
  return isIP(address) === 0 ? undefined : address;
}

/** Without the IPv4-in-IPv6 prefix that a dual-stack socket reports. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

function addHeader(metadata: Metadata, name: string, value: string): void {
  if (name === 'authorization') addCredentials(metadata, value);
  else if (TRACE_CONTEXT.has(name)) addTraceContext(metadata, name, value);
  else addValue(metadata, name, value, name);
}

/** Values that cannot have been issued are not credentials. */
function addCredentials(metadata: Metadata, value: string): void {
  const again = metadata.get('authorization').length > 0;
  if (!again && TEXT.test(value)) metadata.add('authorization', value);
  else {
    const what = again ? 'more than one authorization header' : 'malformed authorization header';
    throw refusal(Code.UNAUTHENTICATED, what);
  }
}

/**
 * W3C allows tabs between members, which metadata cannot hold, and no request may fail because of its
 * trace.
 */
function addTraceContext(metadata: Metadata, name: string, value: string): void {
  const text = value.replaceAll('\t', ' ');
  if (TEXT.test(text)) metadata.add(name, text);
}

function addCustom(
  metadata: Metadata,
  key: string,
  value: string,
  { customKeys }: RequestMetadataRules,
): void {
  const header = `Grpc-Metadata-${key}`;
  const fault = customKeys(key);
  if (fault !== undefined) {
    const why =
      fault === 'reserved' ? 'is reserved and cannot be set' : 'is not accepted from callers';
    throw badRequest(`header ${header}: ${quotedInput(key)} ${why}`, header);
  }
  addValue(metadata, key, value, header);
}

function addValue(metadata: Metadata, key: string, value: string, header: string): void {
  if (!key.endsWith('-bin')) addText(metadata, key, value, header);
  else if (BASE64.test(value)) metadata.add(key, Buffer.from(value, 'base64'));
  else throw badRequest(`header ${header} is not base64`, header);
}

function addText(metadata: Metadata, key: string, value: string, header: string): void {
  if (!TEXT.test(value)) {
    throw badRequest(`header ${header} has characters beyond printable ASCII`, header);
  }
  if (SINGLE_VALUE.has(key) && metadata.get(key).length > 0) {
    throw badRequest(`header ${header} is given twice`, header);
  }
  metadata.add(key, value);
}

/**
 * The values of a request's headers by lower-case name, as the app's middleware left them: without
 * a header that it deleted, with one that it set.
 */
function currentHeaders(
  { headers, rawHeaders }: IncomingMessage,
  wanted: (name: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const names = Object.keys(headers).filter((name) => wanted(name));
  // Most requests have none.
  if (names.length === 0) return NO_HEADERS;
  const received = new Map<string, string[]>(names.map((name) => [name, []]));
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    received.get((rawHeaders[i] ?? '').toLowerCase())?.push(rawHeaders[i + 1] ?? '');
  }
  const current = new Map<string, readonly string[]>();
  for (const [name, values] of received) {
    const now = headers[name];
    if (now !== undefined) current.set(name, headerValues(name, now, values));
  }
  return current;
}

const NO_HEADERS: ReadonlyMap<string, readonly string[]> = new Map();

const UNIT_MS = new Map(
  Object.entries({ H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 }),
);

/** The maximum of a timer, minus the second by which grpc-js may round up a deadline. */
const LONGEST_MS = MAX_TIMER_MS - 1_000;

/**
 * Milliseconds of a `grpc-timeout` value: at most eight digits and a unit (gRPC over HTTP/2,
 * "Timeout"). Cut to 24.8 days, because grpc-js would fail at once beyond it.
 *
 * @throws HttpRefusal for anything else.
 */
export function parseGrpcTimeout(text: string): number {
  const [, amount, unit] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    const message = `header Grpc-Timeout has the value ${quotedInput(text)}`;
    const rule = 'use up to eight digits and one of H, M, S, m, u, n';
    throw badRequest(`${message}: ${rule}`, 'Grpc-Timeout');
  }
  return Math.min(Number(amount) * (UNIT_MS.get(unit) ?? 0), LONGEST_MS);
}
