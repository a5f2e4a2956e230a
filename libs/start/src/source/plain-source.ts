/** Strings and comments, in which brackets and names have no meaning. */
const OPAQUE =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** A source whose strings and comments are replaced by spaces, so that all positions stay the same. */
export function plainSource(source: string): string {
  return source.replaceAll(OPAQUE, blank);
}

/** A source whose comments are replaced by spaces. */
export function withoutComments(source: string): string {
  return source.replaceAll(OPAQUE, (text) => (text.startsWith('/') ? blank(text) : text));
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** The position after the bracket that closes the one at `open`; undefined if there is none. */
export function closingAfter(plain: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < plain.length; at++) {
    if ('{[('.includes(plain[at]!)) depth++;
    else if ('}])'.includes(plain[at]!) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** What stands between the brackets of each call; the pattern ends with the opening bracket. */
export function callArguments(plain: string, calls: RegExp): string[] {
  return [...plain.matchAll(calls)].map(({ index, 0: { length } }) =>
    plain.slice(index + length, closingAfter(plain, index + length - 1)),
  );
}

/** The source with an added import, after its last import or at its beginning. */
export function withImportLine(source: string, name: string, from: string): string {
  const line = `import { ${name} } from '${from}';\n`;
  const imports = [...source.matchAll(/^import\b[^;]*?['"][^'"\n]*['"];?[^\n]*\n/gm)];
  const last = imports.at(-1);
  const at = last === undefined ? 0 : last.index + last[0].length;
  return `${source.slice(0, at)}${line}${source.slice(at)}`;
}
