/** A command that the shop prints, and how it says that it ends. */
export interface PrintedLine {
  readonly command: string;
  /** A status of HTTP, or one of gRPC by its name; empty: it ends well. */
  readonly status: string;
}

const COMMAND = /(?:^|: ) *((?:curl|npm run) (?:[^\n]*\\\n)*[^\n]*)$/gm;

const IN_PAGE = /<code[^>]* data-status="(\w*)">([^<]*)</g;

/** The commands of the shop's first page. */
export function linesOfPage(html: string): readonly PrintedLine[] {
  return Array.from(html.matchAll(IN_PAGE), ([, status = '', text = '']) => ({
    command: text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
    status,
  }));
}

/** The commands in what the shop prints; a status in parentheses counts for the commands after it. */
export function printedLines(text: string): readonly PrintedLine[] {
  const lines: PrintedLine[] = [];
  let end = 0;
  let status = '';
  for (const match of text.matchAll(COMMAND)) {
    const before = text.slice(end, match.index + match[0].indexOf(match[1]!));
    status = [...before.matchAll(/\((\d{3}|OK|[A-Z]+_?[A-Z]+)\b/g)].at(-1)?.[1] ?? status;
    end = match.index + match[0].length;
    lines.push({ command: match[1]!, status: match[1]!.endsWith(' list') ? '' : status });
  }
  return lines;
}
