import { headerList } from './header-list.js';

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
