import { normalisedPath } from '@apix/contracts/internal';
import type { PathTemplate } from './path-template.js';

const VARIABLE = /\{[^=}]*=?([^}]*)\}/g;

/** How requests have to spell the literals of a template. */
export interface TemplateSpelling {
  /** Of each segment; undefined for a wildcard. */
  readonly segments: readonly (string | undefined)[];
  readonly verb: string | undefined;
}

/**
 * The one spelling of a template's literals: as the template has them, with escapes in capitals and none
 * of a character that needs none (RFC 3986 §6.2.2). Routers of apps match it, and match others or not.
 */
// Why: docs/decisions/0030
export function spellingOf({ source, segments, verb }: PathTemplate): TemplateSpelling {
  const plain = source.replaceAll(VARIABLE, (_variable, inside: string) => inside || '*');
  const end = verb === undefined ? plain.length : plain.lastIndexOf(':');
  const parts = plain.slice(1, end).split('/');
  return {
    segments: segments.map(({ kind }, at) =>
      kind === 'literal' ? normalisedPath(parts[at] ?? '') : undefined,
    ),
    verb: verb === undefined ? undefined : normalisedPath(plain.slice(end + 1)),
  };
}

/** Whether a path that matches the template spells its literals so; both raw. */
export function isSpelt(
  spelling: TemplateSpelling,
  segments: readonly string[],
  verb: string | undefined,
): boolean {
  return (
    spelling.verb === verb &&
    spelling.segments.every((text, at) => text === undefined || text === segments[at])
  );
}

/**
 * Reverses the percent-encoding of a variable that matches exactly one segment: everything is decoded
 * (google/api/http.proto, "Path template syntax").
 *
 * @throws URIError for a malformed escape or one that is not UTF-8.
 */
export function decodeSegment(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}

/**
 * Reverses the percent-encoding of a variable that matches several segments: everything is decoded "except
 * `%2F` and `%2f` are left unchanged" (google/api/http.proto).
 *
 * @throws URIError for a malformed escape or one that is not UTF-8.
 */
export function decodeSegments(text: string): string {
  if (!text.includes('%')) return text;
  let decoded = '';
  let from = 0;
  for (const slash of text.matchAll(/%2f/gi)) {
    decoded += decodeURIComponent(text.slice(from, slash.index)) + slash[0];
    from = slash.index + 3;
  }
  return decoded + decodeURIComponent(text.slice(from));
}
