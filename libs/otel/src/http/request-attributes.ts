import { authorityOf, targetOf } from '@apix/contracts';
import type { Attributes } from '@opentelemetry/api';
import type { IncomingMessage } from 'node:http';
import { HTTP_KEYS } from './http-attributes.js';
import type { HttpTracingSettings } from './http-tracing-options.js';
import { OTHER_METHOD } from './request-method.js';

/** `host:port`, with an address of IPv6 in brackets. No match if credentials precede it. */
const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([^:@]*))(?::(\d{1,5}))?$/i;

/** The attributes for samplers, by the conventions for HTTP servers. */
export function requestAttributes(
  req: IncomingMessage,
  method: string,
  { captureQuery, captureHeaders }: HttpTracingSettings,
): Attributes {
  const { path, query } = targetOf(req);
  const { headers, socket } = req;
  const scheme = schemeOf(req);
  const attributes: Attributes = {
    [HTTP_KEYS.method]: method,
    [HTTP_KEYS.path]: path,
    [HTTP_KEYS.scheme]: scheme,
    [HTTP_KEYS.protocolVersion]: protocolVersion(req),
  };
  if (method === OTHER_METHOD) attributes[HTTP_KEYS.methodOriginal] = req.method;
  const { host, port = scheme === 'https' ? 443 : 80 } = readAuthority(authorityOf(req));
  if (host !== '') {
    attributes[HTTP_KEYS.serverAddress] = host;
    attributes[HTTP_KEYS.serverPort] = port;
  }
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined)
    attributes[HTTP_KEYS.clientAddress] = plainAddress(remoteAddress);
  if (headers['user-agent'] !== undefined) attributes[HTTP_KEYS.userAgent] = headers['user-agent'];
  if (captureQuery && query !== '') attributes[HTTP_KEYS.query] = query;
  for (const name of captureHeaders.request) {
    const value = headers[name];
    if (value !== undefined) {
      attributes[HTTP_KEYS.requestHeader + name] = typeof value === 'string' ? [value] : value;
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

const COMBINATIONS = new Map<string, Attributes>();

/** The attributes of all figures of a request; one object for each of the few combinations. */
export function methodAndScheme(method: string, scheme: string): Attributes {
  const key = method + scheme;
  let attributes = COMBINATIONS.get(key);
  if (attributes === undefined) {
    attributes = { [HTTP_KEYS.method]: method, [HTTP_KEYS.scheme]: scheme };
    COMBINATIONS.set(key, attributes);
  }
  return attributes;
}

/** Of the connection itself; what proxies say about theirs is not believed. */
export function schemeOf({ socket }: IncomingMessage): 'http' | 'https' {
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
