import type { IncomingMessage } from 'node:http';
import {
  Code,
  FORWARDED_KEY,
  StatusError,
  acceptedRequestId,
  authorityOf,
} from '@apix/contracts';
import { Metadata } from '@grpc/grpc-js';
import { HttpRefusal, badRequest, quotedInput } from '../errors.js';
import { currentHeaders } from './current-headers.js';
import type { KeyRule } from './custom-keys.js';
import { type TrustRule, callerChain } from './forwarded.js';
import { isSingleValue } from './names.js';

const PREFIX = 'grpc-metadata-';
const TEXT = /^[ -~]*$/;
const TRACE_CONTEXT = new Set(['traceparent', 'tracestate', 'baggage']);
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export interface RequestMetadataRules {
  /** Lower-case names of the HTTP headers that are forwarded under their own name. */
  readonly forwardHeaders: ReadonlySet<string>;
  /** The keys that `Grpc-Metadata-<key>` may set. */
  readonly customKeys: KeyRule;
  readonly trusts: TrustRule;
}

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
  // The server must not take the gateway for its caller.
  metadata.set(FORWARDED_KEY, '1');
  metadata.set('x-request-id', requestId);
  const remote = req.socket.remoteAddress ?? '';
  const { 'x-forwarded-for': claimed } = req.headers;
  const chain = callerChain(
    typeof claimed === 'string' ? claimed : undefined,
    remote,
    rules.trusts,
  );
  if (chain[0] !== '') metadata.set('x-forwarded-for', chain.join(', '));
  const host = authorityOf(req);
  if (TEXT.test(host)) metadata.set('x-forwarded-host', host);
  return metadata;
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
    throw new HttpRefusal(new StatusError(Code.UNAUTHENTICATED, what));
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
  if (isSingleValue(key) && metadata.get(key).length > 0) {
    throw badRequest(`header ${header} is given twice`, header);
  }
  metadata.add(key, value);
}

/** The request's own id where it has a sound one, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  return acceptedRequestId(req.headers['x-request-id']) ?? crypto.randomUUID();
}
