import type { IncomingMessage } from 'node:http';

/** What a request line asks for (RFC 9112 §3.2). */
export interface RequestTarget {
  /** Host and port of an absolute-form target, which counts before `Host`; else undefined. */
  readonly authority: string | undefined;
  /** As it was written, percent-encoded; never empty. */
  readonly path: string;
  /** Without the question mark; '' if there is none. */
  readonly query: string;
}

const SLASH = 47;
/** Only what every router reads alike; Express finds the end of other authorities elsewhere. */
const ABSOLUTE = /^https?:\/\/(?:[\w.~:-]*@)?([\w.~:[\]-]*)(?=[/?#]|$)/i;

/**
 * Reads a request target. One in absolute-form, `http://host/path`, which servers must accept
 * (RFC 9112 §3.2.2), has the path that it has in origin-form, so that it is routed, decided on and
 * logged alike. Of another scheme, or with an odd authority, it is its own path, which no route has. A
 * fragment, which no client may send, is left out: Express and Fastify route without it.
 */
export function readTarget(target: string): RequestTarget {
  const absolute = target.charCodeAt(0) === SLASH ? null : ABSOLUTE.exec(target);
  const from = absolute === null ? target : target.slice(absolute[0].length);
  const hash = from.indexOf('#');
  const asked = hash === -1 ? from : from.slice(0, hash);
  const mark = asked.indexOf('?');
  const path = mark === -1 ? asked : asked.slice(0, mark);
  const query = mark === -1 ? '' : asked.slice(mark + 1);
  return { authority: absolute?.[1], path: path === '' ? '/' : path, query };
}

/** The target that a request came with; Express shortens `url` below a mount path, not `originalUrl`. */
export function targetOf(request: {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
}): RequestTarget {
  return readTarget(request.originalUrl ?? request.url ?? '/');
}

/** Host and port that a request was sent to, as the request states: of its target, of HTTP/2, or `Host`. */
export function authorityOf(request: {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}): string {
  const { ':authority': authority, host } = request.headers;
  const named = targetOf(request).authority ?? authority ?? host;
  return typeof named === 'string' ? named : '';
}

const ESCAPE = /%[0-9A-Fa-f]{2}/g;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** A path or a part of one in the normal form of RFC 3986 §6.2.2, but for its dots. */
export function normalisedPath(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(ESCAPE, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}

const MAX_LENGTH = 128;
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The request id that a caller sent, if it can be passed on and written everywhere: 1 to 128 visible
 * ASCII characters. Undefined for anything else (too long, blanks, control characters, several
 * values). Every entry point asks this one function, so that a request has one id throughout.
 */
export function acceptedRequestId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  return VISIBLE_ASCII.test(value) ? value : undefined;
}

/** The id of a request of HTTP: that of its header where it is sound, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  return acceptedRequestId(headers['x-request-id']) ?? crypto.randomUUID();
}

/** On the request of HTTP that has been given one, so that all installed copies find it. */
const GIVEN_ID = Symbol.for('apix.RequestId');

interface Identified {
  [GIVEN_ID]?: string;
}

/** Notes the id that an entry point has given to a request, whatever header it goes by. */
export function giveRequestId(request: object, id: string): void {
  (request as Identified)[GIVEN_ID] = id;
}

/** The id that a request was given, if it was. */
export function givenRequestId(request: object): string | undefined {
  return (request as Identified)[GIVEN_ID];
}
