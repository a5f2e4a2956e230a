import { type PathTemplate, type TemplateVariable, spansSegments } from './path-template.js';
import { decodeSegment, decodeSegments } from './percent.js';

/**
 * The decoded text of each variable of a template, in its order, for the raw segments of a path
 * that it matches.
 *
 * @throws URIError for a malformed escape anywhere in the path, and for a `.` or `..` segment,
 * encoded or not: which resource it means depends on who resolves it (RFC 3986 §3.3).
 */
export function captureVariables(template: PathTemplate, segments: readonly string[]): string[] {
  for (const segment of segments) {
    const text = decodeSegment(segment);
    if (text === '.' || text === '..') throw new URIError(`the segment "${text}" is not allowed`);
  }
  return template.variables.map((variable) => capture(variable, segments));
}

function capture(variable: TemplateVariable, segments: readonly string[]): string {
  if (!spansSegments(variable)) return decodeSegment(segments[variable.start] ?? '');
  return segments.slice(variable.start, variable.end).map(decodeSegments).join('/');
}
