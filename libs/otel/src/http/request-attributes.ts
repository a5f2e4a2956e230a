import type { IncomingMessage, ServerResponse } from 'node:http';
import { authorityOf, type targetOf } from '@apix/contracts/internal';
import type { Attributes } from '@opentelemetry/api';
import * as names from '../names.js';
import type { HttpTracingSettings } from './http-tracing-options.js';

/** A request and what is read of it once. */
export interface TracedExchange {
  readonly req: IncomingMessage;
  /** Undefined for a connection that is handed over. */
  readonly res: ServerResponse | undefined;
  /** The value of `http.request.method`. */
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly target: ReturnType<typeof targetOf>;
}

/** RFC 9110 and RFC 5789; the others are one value, as callers may make them up. */
const KNOWN: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]);

/** The name of an unknown method in attributes. */
const OTHER_METHOD = '_OTHER';

/** The value of `http.request.method`. */
export function knownMethod(method: string | undefined): string {
  return method !== undefined && KNOWN.has(method) ? method : OTHER_METHOD;
}

/** The beginning of a span's name. */
export function methodInName(known: string): string {
  return known === OTHER_METHOD ? 'HTTP' : known;
}

/** `host:port`, with an address of IPv6 in brackets. No match if credentials precede it. */
const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([^:@]*))(?::(\d{1,5}))?$/i;

/** The attributes for samplers, by the conventions for HTTP servers. */
export function requestAttributes(
  { req, method, scheme, target: { path, query } }: TracedExchange,
  { captureQuery, captureHeaders }: HttpTracingSettings,
): Attributes {
  const { headers, socket } = req;
  const attributes: Attributes = {
    [names.HTTP_REQUEST_METHOD]: method,
    [names.URL_PATH]: path,
    [names.URL_SCHEME]: scheme,
    [names.NETWORK_PROTOCOL_VERSION]: protocolVersion(req),
  };
  if (method === OTHER_METHOD) attributes[names.HTTP_REQUEST_METHOD_ORIGINAL] = req.method;
  const { host, port = scheme === 'https' ? 443 : 80 } = readAuthority(authorityOf(req));
  if (host !== '') {
    attributes[names.SERVER_ADDRESS] = host;
    attributes[names.SERVER_PORT] = port;
  }
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined) attributes[names.CLIENT_ADDRESS] = plainAddress(remoteAddress);
  if (headers['user-agent'] !== undefined)
    attributes[names.USER_AGENT_ORIGINAL] = headers['user-agent'];
  if (captureQuery && query !== '') attributes[names.URL_QUERY] = query;
  for (const name of captureHeaders.request) {
    const value = headers[name];
    if (value !== undefined) {
      attributes[names.HTTP_REQUEST_HEADER_PREFIX + name] =
        typeof value === 'string' ? [value] : value;
    }
  }
  return attributes;
}

/** Most requests of a server name the same. */
let lastRead: Authority = { text: '', host: '', port: undefined };

interface Authority {
  readonly text: string;
  /** '' if none is named. */
  readonly host: string;
  readonly port: number | undefined;
}

function readAuthority(text: string): Authority {
  if (text !== lastRead.text) {
    const [, ofSix, other = '', port] = AUTHORITY.exec(text) ?? [];
    lastRead = { text, host: ofSix ?? other, port: port === undefined ? port : Number(port) };
  }
  return lastRead;
}

/** Of the connection itself; what proxies say about theirs is not believed. */
export function schemeOf({ socket }: IncomingMessage): TracedExchange['scheme'] {
  return 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
}

/** `1.0`, `1.1` or `2` */
export function protocolVersion({ httpVersion }: IncomingMessage): string {
  return httpVersion === '2.0' ? '2' : httpVersion;
}

/** Without what makes an address of IPv6 of one of IPv4. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
