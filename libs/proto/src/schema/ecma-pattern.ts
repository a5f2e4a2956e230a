/**
 * A regular expression of RE2, as protovalidate has them, in the syntax of JSON Schema (ECMA-262 with the flag
 * `u`); undefined for one that has no form there, or might mean something else. `.` and `\s` are written out, since
 * ECMA-262 has other line breaks and spaces.
 */
export function ecmaPattern(re2: string): string | undefined {
  let pattern = '';
  let inClass = false;
  for (let at = 0; at < re2.length; at += 1) {
    const char = re2[at]!;
    if (char === '\\') {
      const escape = escapeFor(re2.slice(at, at + 2), inClass);
      if (escape === undefined) return undefined;
      pattern += escape;
      at += 1;
      continue;
    }
    if (inClass) {
      if (char === '[') return undefined;
      inClass = char !== ']';
    } else if (char === '[') {
      // RE2 takes a bracket that comes first for a member, ECMA-262 for the end.
      if (/^\[\^?\]/.test(re2.slice(at, at + 3))) return undefined;
      inClass = true;
    } else if (char === '(' && re2[at + 1] === '?' && re2[at + 2] !== ':') return undefined;
    pattern += char === '.' && !inClass ? NOT_LINE_FEED : char;
  }
  return isPattern(pattern) ? pattern : undefined;
}

const NOT_LINE_FEED = '[^\\n]';
/** The spaces of RE2. */
const SPACES = '\\t\\n\\f\\r ';
/** Escapes that mean the same in both: classes, control characters, and punctuation that means itself. */
const SHARED = /^\\[dDwWbBtnrfv^$\\.*+?()[\]{}|/]$/;

function escapeFor(escape: string, inClass: boolean): string | undefined {
  if (escape === '\\s') return inClass ? SPACES : `[${SPACES}]`;
  if (escape === '\\S') return inClass ? undefined : `[^${SPACES}]`;
  if (escape === '\\-') return inClass ? escape : '-';
  // Within a class it is a backspace to one of them, and refused by the other.
  if (inClass && /^\\[bB]$/.test(escape)) return undefined;
  if (SHARED.test(escape)) return escape;
  // Other punctuation, which only RE2 may escape.
  return /^\\[!-~]$/.test(escape) && !/[A-Za-z0-9]/.test(escape) ? escape.slice(1) : undefined;
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}
