/** One segment of a template: literal text (decoded), `*`, or `**`. */
export type TemplateSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'rest' };

/** A variable and the segments that it captures. */
export interface TemplateVariable {
  /** The field path, such as `['order', 'name']`. */
  readonly path: readonly string[];
  /** Index of its first segment. */
  readonly start: number;
  /** Index after its last segment; `Infinity` when it ends in `**`. */
  readonly end: number;
}

/** A parsed path template of google/api/http.proto. */
export interface PathTemplate {
  readonly source: string;
  readonly segments: readonly TemplateSegment[];
  readonly variables: readonly TemplateVariable[];
  /** The text after the colon, decoded; undefined without one. */
  readonly verb: string | undefined;
}

const IDENT = /^[A-Za-z_][A-Za-z0-9_]*$/;
// pchar of RFC 3986 without `*`, which is a wildcard here; the rest must be percent-encoded.
const LITERAL = /^(?:[A-Za-z0-9\-._~!$&'()+,;=:@]|%[0-9A-Fa-f]{2})+$/;

/**
 * Parses a path template by the grammar in google/api/http.proto, "Path template syntax". Beyond the
 * grammar, `/` alone is a template too: it matches the root.
 *
 * @throws SyntaxError that names the mistake and its column (counted from 1).
 */
export function parsePathTemplate(source: string): PathTemplate {
  if (!source.startsWith('/')) throw syntaxError(source, 0, 'it must start with "/"');
  if (source === '/') return { source, segments: [], variables: [], verb: undefined };
  const segments: TemplateSegment[] = [];
  const variables: TemplateVariable[] = [];
  const { path, verb } = splitVerb(source);

  let at = 0;
  while (at < path.length) {
    at += 1; // the slash
    if (path[at] === '{') at = readVariable(source, path, at, segments, variables);
    else {
      const end = indexOr(path, '/', at, path.length);
      segments.push(readSegment(source, path.slice(at, end), at));
      at = end;
    }
    if (at < path.length && path[at] !== '/') throw syntaxError(source, at, 'expected "/"');
  }

  const rest = segments.findIndex((segment) => segment.kind === 'rest');
  if (rest !== -1 && rest !== segments.length - 1) {
    throw syntaxError(source, source.indexOf('**'), '"**" must be the last segment');
  }
  return { source, segments, variables, verb };
}

/** Splits the verb off: what follows the last colon of the last segment, outside of braces. */
function splitVerb(source: string): { path: string; verb: string | undefined } {
  const colon = source.lastIndexOf(':');
  const inLastSegment = colon > source.lastIndexOf('/') && colon > source.lastIndexOf('}');
  if (!inLastSegment) return { path: source, verb: undefined };
  const verb = source.slice(colon + 1);
  if (!LITERAL.test(verb)) throw syntaxError(source, colon + 1, 'expected a verb after ":"');
  return { path: source.slice(0, colon), verb: decodeLiteral(source, verb, colon + 1) };
}

function readVariable(
  source: string,
  path: string,
  open: number,
  segments: TemplateSegment[],
  variables: TemplateVariable[],
): number {
  const close = indexOr(path, '}', open, -1);
  if (close === -1) throw syntaxError(source, open, 'expected "}" for this "{"');
  const inside = path.slice(open + 1, close);
  if (inside.includes('{')) {
    throw syntaxError(source, open, 'a variable must not contain other variables');
  }
  const equals = inside.indexOf('=');
  const name = equals === -1 ? inside : inside.slice(0, equals);
  const fieldPath = name.split('.');
  if (!fieldPath.every((part) => IDENT.test(part))) {
    throw syntaxError(source, open + 1, `expected a field path, not ${JSON.stringify(name)}`);
  }
  if (variables.some((other) => other.path.join('.') === name)) {
    throw syntaxError(source, open + 1, `the variable ${JSON.stringify(name)} is used twice`);
  }
  const start = segments.length;
  let at = open + 1 + equals + 1;
  const parts = equals === -1 ? ['*'] : inside.slice(equals + 1).split('/');
  for (const part of parts) {
    segments.push(readSegment(source, part, at));
    at += part.length + 1;
  }
  const endless = segments.at(-1)?.kind === 'rest';
  variables.push({ path: fieldPath, start, end: endless ? Infinity : segments.length });
  return close + 1;
}

function readSegment(source: string, text: string, at: number): TemplateSegment {
  if (text === '*') return { kind: 'one' };
  if (text === '**') return { kind: 'rest' };
  if (text === '') throw syntaxError(source, at, 'a segment must not be empty');
  if (!LITERAL.test(text)) {
    throw syntaxError(
      source,
      at,
      `${JSON.stringify(text)} is not "*", "**", a literal or a variable`,
    );
  }
  return { kind: 'literal', text: decodeLiteral(source, text, at) };
}

function decodeLiteral(source: string, text: string, at: number): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw syntaxError(source, at, `${JSON.stringify(text)} is not percent-encoded UTF-8`);
  }
}

function indexOr(text: string, part: string, from: number, otherwise: number): number {
  const index = text.indexOf(part, from);
  return index === -1 ? otherwise : index;
}

function syntaxError(source: string, at: number, what: string): SyntaxError {
  return new SyntaxError(`path template ${JSON.stringify(source)}, column ${at + 1}: ${what}`);
}
