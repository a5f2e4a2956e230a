import type { Buffer } from 'node:buffer';

/** An object in a document. */
export interface ObjectSpan {
  /** The places of its values, by name. */
  readonly members: ReadonlyMap<string, Span>;
  /** Where it ends. */
  readonly to: number;
}

/** The place of a value in a document. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Messages of the protocol have fewer than ten; each name takes time to read. */
const MOST_MEMBERS = 256;

/**
 * The members of a JSON object by name, with the places of their values. Values are skipped and not checked, which is for
 * their readers.
 *
 * @param at the first byte of the object.
 * @throws SyntaxError for what is not an object, for a name that is given twice, for more than 256 members, and for
 *   values that are nested deeper than `maxDepth`.
 */
export function memberSpans(json: Buffer, at: number, maxDepth: number): ObjectSpan {
  const members = new Map<string, Span>();
  let next = expect(json, at, OPEN_OBJECT, '{');
  next = skipSpace(json, next);
  if (json[next] === CLOSE_OBJECT) return { members, to: next + 1 };
  for (;;) {
    if (json[next] !== QUOTE) throw new SyntaxError('expected the name of a member');
    const nameEnd = endOfString(json, next);
    const name = JSON.parse(json.toString('utf8', next, nameEnd)) as string;
    if (members.has(name)) throw new SyntaxError('a member is given twice');
    const from = skipSpace(json, expect(json, nameEnd, COLON, ':'));
    const to = endOfValue(json, from, maxDepth);
    if (members.size === MOST_MEMBERS) {
      throw new SyntaxError(`an object has more than ${MOST_MEMBERS} members`);
    }
    members.set(name, { from, to });
    next = skipSpace(json, to);
    if (json[next] === CLOSE_OBJECT) return { members, to: next + 1 };
    next = skipSpace(json, expect(json, next, COMMA, ','));
  }
}

/** The first byte from `at` on that is not white space. */
export function skipSpace(json: Buffer, at: number): number {
  let next = at;
  for (;;) {
    const byte = json[next];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return next;
    next += 1;
  }
}

/** Where a value ends, by its brackets and quotes alone. */
export function endOfValue(json: Buffer, from: number, maxDepth: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const byte = json[at]!;
    if (byte === QUOTE) at = endOfString(json, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > maxDepth) throw new SyntaxError(`nested deeper than ${maxDepth} levels`);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0) break;
      depth -= 1;
    } else if (depth === 0 && (byte === COMMA || byte <= 0x20)) break;
    at += 1;
    if (depth === 0 && (byte === QUOTE || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY)) break;
  }
  if (depth > 0) throw new SyntaxError('the document ends within a value');
  if (at === from) throw new SyntaxError('expected a value');
  return at;
}

function endOfString(json: Buffer, from: number): number {
  let at = from + 1;
  while (at < json.length) {
    const byte = json[at]!;
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  throw new SyntaxError('the document ends within a string');
}

function expect(json: Buffer, at: number, byte: number, shown: string): number {
  const next = skipSpace(json, at);
  if (json[next] !== byte) throw new SyntaxError(`expected ${shown}`);
  return next + 1;
}
