const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How the elements of a header are separated, and whether `\` escapes inside quotes. */
export interface HeaderListForm {
  readonly separator: ',' | ';';
  /** True for quoted-string, false for entity-tag, where `\` is a character like others. */
  readonly escapes: boolean;
}

/**
 * The elements of a list in a header, without white space around them and without empty ones. A separator in
 * quotes belongs to its element (RFC 9110 §5.6).
 */
export function headerList(
  text: string,
  { separator, escapes }: HeaderListForm = { separator: ',', escapes: true },
): string[] {
  const elements: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted && escapes && code === BACKSLASH) at += 1;
    if (at < text.length && (isQuoted || text[at] !== separator)) continue;
    const element = text.slice(from, at).trim();
    if (element !== '') elements.push(element);
    from = at + 1;
  }
  return elements;
}

/** What a caller says of one representation, or of several by a wildcard. */
export interface Preference {
  /** From 0, which refuses it, to 1. */
  readonly quality: number;
  /** Whether it is named, rather than covered by a wildcard. */
  readonly isNamed: boolean;
}

interface Element {
  readonly value: string;
  readonly quality: number;
}

/**
 * What `Accept` says of a media type: its most specific range counts (RFC 9110 §12.5.1). Undefined if it says
 * nothing of it, which the RFC leaves to the server.
 *
 * @param mediaType with or without parameters, in lower case.
 */
export function typePreference(
  accept: string | undefined,
  mediaType: string,
): Preference | undefined {
  if (accept === undefined) return undefined;
  const type = mediaType.split(';', 1)[0] ?? '';
  const elements = elementsOf(accept);
  for (const range of [type, `${type.split('/', 1)[0]}/*`, '*/*', '*']) {
    const quality = qualityOf(elements, range);
    if (quality !== undefined) return { quality, isNamed: range === type };
  }
  return undefined;
}

/** Whether `Accept` excludes a media type by a weight of 0. */
export function refusesType(accept: string | undefined, mediaType: string): boolean {
  // No weight without one: the usual values cost nothing.
  if (accept === undefined || !accept.includes(';')) return false;
  return typePreference(accept, mediaType)?.quality === 0;
}

/** How much `Accept-Encoding` wants a content coding; 0 if it does not accept it (RFC 9110 §12.5.3). */
export function codingQuality(acceptEncoding: string | undefined, coding: string): number {
  if (acceptEncoding === undefined) return 0;
  const elements = elementsOf(acceptEncoding);
  return qualityOf(elements, coding) ?? qualityOf(elements, '*') ?? 0;
}

/** The highest weight of those given for a value. */
function qualityOf(elements: readonly Element[], value: string): number | undefined {
  const qualities = elements.filter((it) => it.value === value).map(({ quality }) => quality);
  return qualities.length === 0 ? undefined : Math.max(...qualities);
}

/** An element whose weight is malformed says nothing. */
function elementsOf(header: string): Element[] {
  return headerList(header.toLowerCase()).flatMap((text) => {
    const [value = '', ...parameters] = headerList(text, { separator: ';', escapes: true });
    const weight = parameters.findIndex((it) => /^q\s*=/.test(it));
    const quality = weight === -1 ? 1 : readQuality(parameters[weight] ?? '');
    // A refusal of a range with parameters of its own is not one of the type itself.
    return quality === undefined || (quality === 0 && weight > 0) ? [] : [{ value, quality }];
  });
}

/** A number from 0 to 1; also `.2`, which old clients send. */
function readQuality(parameter: string): number | undefined {
  const text = parameter.slice(parameter.indexOf('=') + 1).trim();
  return /^(?:0?\.\d+|[01](?:\.\d*)?)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined;
}

/**
 * Whether the caller has a representation with this ETag, by its `If-None-Match`: the list names it, or is `*`.
 * The comparison is weak (RFC 9110 §13.1.2).
 */
export function isKnownEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = headerList(ifNoneMatch, { separator: ',', escapes: false });
  const current = opaque(etag);
  return known.some((tag) => tag === '*' || opaque(tag) === current);
}

function opaque(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}

/** Of these, sent several times, `http.IncomingMessage.headers` has the first value alone. */
const FIRST_KEPT = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);

/**
 * The values of one header of a request as the app's middleware left it: none where it deleted the header,
 * and the new value where it set one. For a header that it did not touch: every value that was received,
 * where Node joins most values and drops some. Of a header of which it keeps
 * the first value alone over HTTP/2, but not over HTTP/1, the first value counts, as it does in `headers`.
 *
 * @param name in lower case.
 * @param now what `headers` has under the name.
 * @param received every value of the name in `rawHeaders`, in order.
 */
// Why: docs/decisions/0021
export function headerValues(
  name: string,
  now: string | readonly string[] | undefined,
  received: readonly string[],
): readonly string[] {
  if (now === undefined) return [];
  if (typeof now !== 'string') return now;
  const isAsReceived =
    now === received.join(', ') ||
    now === received.join('; ') ||
    (now === received[0] && FIRST_KEPT.has(name));
  return isAsReceived ? received : [now];
}
