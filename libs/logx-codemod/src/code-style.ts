import type { AppFile } from './app-file.js';

/** The code style of a file, so that inserted code looks the same. */
export interface CodeStyle {
  readonly quote: '"' | "'";
  readonly eol: '\n' | '\r\n';
  readonly semicolon: '' | ';';
  /** One step of indentation. */
  readonly indent: string;
}

/** The most frequent style in the file. */
export function styleOf({ text }: Pick<AppFile, 'text'>): CodeStyle {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const step = /^(?:\t| {2,8})(?=\S)/m.exec(text)?.[0] ?? '  ';
  return {
    quote: count(/from\s+"/g) > count(/from\s+'/g) || !/'/.test(text) ? '"' : "'",
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    semicolon: hasSemicolons(text) ? ';' : '',
    indent: step,
  };
}

/** By the imports, or without any by the ends of other lines. */
function hasSemicolons(text: string): boolean {
  if (/^\uFEFF?import\b/m.test(text)) return /^\uFEFF?import\b[^;]*?['"]\s*;/m.test(text);
  return /;[\t ]*$/m.test(text);
}

/** A text as a literal. */
export function quoted(text: string, { quote }: Pick<CodeStyle, 'quote'>): string {
  // JavaScript has the same escapes as JSON; only the quotes differ.
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
  return quote === '"'
    ? `"${inner}"`
    : `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

/** The white space before the line of a position. */
export function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[\t ]*/.exec(text.slice(start))![0];
}
