import type { IncomingHttpHeaders } from 'node:http2';

/** What the headers of one block may take up, in bytes as RFC 9113, 6.5.2 counts them, and in number: as Node has it. */
export const MAX_HEADER_BYTES = 65_535;
export const MAX_HEADER_FIELDS = 128;

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const AUTHORITY = /^[!$%&'()*+,.:;=[\]_~0-9A-Za-z-]+$/;
/** Anything but spaces and controls: paths in bytes above ASCII are common, though no URI has them. */
const PATH = /^[!-~\u0080-\u00ff]+$/;
const TAB = 0x09;
const SPACE = 0x20;
const DELETE = 0x7f;

/** Of one connection, so not for HTTP/2 (RFC 9113, 8.2.2). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** Of which the first one counts, as `node:http2` has it. */
const SINGLE: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'retry-after',
  'server',
  'user-agent',
]);

/** Whether a name is one of a field: a token without capital letters, and no pseudo-header. */
export function isFieldName(name: string): boolean {
  return NAME.test(name);
}

/** Whether a method is a token (RFC 9110, 9.1). */
export function isMethod(text: string): boolean {
  return METHOD.test(text);
}

/** Whether a text has the form of a scheme (RFC 3986, 3.1). */
export function isScheme(text: string): boolean {
  return SCHEME.test(text);
}

/** Whether a text has the characters of a host with a port (RFC 3986, 3.2); HTTP/2 has no users there (RFC 9113, 8.3.1). */
export function isAuthority(text: string): boolean {
  return AUTHORITY.test(text);
}

/** Whether a path has neither spaces nor control characters. */
export function isPath(text: string): boolean {
  return PATH.test(text);
}

export function isOfConnection(name: string): boolean {
  return OF_CONNECTION.has(name);
}

/** Whether a value has a control character of ASCII other than a tab. */
export function hasControl(value: string): boolean {
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if ((code < SPACE && code !== TAB) || code === DELETE) return true;
  }
  return false;
}

/** Adds a field as `node:http2` does: repeated ones are joined, or the first one counts. */
export function addField(headers: IncomingHttpHeaders, name: string, value: string): void {
  const existing = headers[name];
  if (name === 'set-cookie') headers[name] = [...(headers[name] ?? []), value];
  else if (existing === undefined) headers[name] = value;
  else if (name === 'cookie') headers[name] = `${String(existing)}; ${value}`;
  else if (!SINGLE.has(name)) headers[name] = `${String(existing)}, ${value}`;
}
