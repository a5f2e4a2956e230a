import type { DescField, Message } from '@bufbuild/protobuf';
import { HIDDEN_PROBLEM, isRedacted } from '@apix/proto/internal';
import { badRequest, quotedInput } from '../errors.js';
import type { Binding } from '../rules/binding.js';
import type { PathTemplate } from '../template/path-template.js';
import { decodeSegment } from '../template/route-table.js';
import { assignField, dottedName, openParent } from './fields.js';
import { bodyError } from './body.js';

/**
 * Sets the fields that the path binds; they take precedence over the same fields of the body.
 *
 * @param segments the raw path segments that the route table matched.
 * @param message with nothing but the content of the body.
 * @throws HttpRefusal that names the variable, or the field of the body that is in a oneof with it.
 */
export function applyPath(binding: Binding, segments: readonly string[], message: Message): void {
  const texts = textsIn(binding, segments);
  for (const [index, { fields, parse }] of binding.variables.entries()) {
    const text = texts[index] ?? '';
    const leaf = fields.at(-1);
    if (leaf === undefined) continue;
    const parent = openParent(message, fields, (rival, level) =>
      rivalInBody(binding, fields, rival, level),
    );
    try {
      assignField(parent, leaf, parse(text));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const path = dottedName(fields);
      if (fields.some(isRedacted)) {
        throw badRequest(`path variable "${path}" has ${HIDDEN_PROBLEM}`, path);
      }
      throw badRequest(
        `path variable "${path}" has the value ${quotedInput(text)}, which is ${error.message}`,
        path,
        error,
      );
    }
  }
}

/** The body alone can have set the rival: two variables of one oneof are a mistake of the rule. */
function rivalInBody(
  { body }: Binding,
  fields: readonly DescField[],
  rival: DescField,
  level: number,
): Error {
  const above = body.kind === 'field' ? fields.slice(1, level) : fields.slice(0, level);
  const place = ['$', ...above.map(({ jsonName }) => jsonName), rival.jsonName].join('.');
  const bound = fields[level]?.jsonName;
  return bodyError(
    place,
    `cannot be set together with ${bound}, which the path sets: they are in one oneof`,
  );
}

function textsIn({ template, variables }: Binding, segments: readonly string[]): string[] {
  try {
    return captureVariables(template, segments);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    const reason = error.message.startsWith('the segment') ? error.message : 'malformed escape';
    const isHidden = variables.some(({ fields }) => fields.some(isRedacted));
    if (isHidden) throw badRequest('path: malformed escape');
    throw badRequest(`path ${quotedInput(`/${segments.join('/')}`)}: ${reason}`, '', error);
  }
}

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
  return template.variables.map(({ start, end }) =>
    // Of one that may match several segments, `%2F` stays encoded.
    end - start === 1
      ? decodeSegment(segments[start] ?? '')
      : segments.slice(start, end).map(decodeSegments).join('/'),
  );
}

/**
 * Reverses the percent-encoding of a variable that matches several segments: everything is decoded "except
 * `%2F` and `%2f` are left unchanged" (google/api/http.proto).
 *
 * @throws URIError for a malformed escape or one that is not UTF-8.
 */
function decodeSegments(text: string): string {
  if (!text.includes('%')) return text;
  let decoded = '';
  let from = 0;
  for (const slash of text.matchAll(/%2f/gi)) {
    decoded += decodeURIComponent(text.slice(from, slash.index)) + slash[0];
    from = slash.index + 3;
  }
  return decoded + decodeURIComponent(text.slice(from));
}
