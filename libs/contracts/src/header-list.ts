const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How the elements of a header are separated, and whether `\` escapes inside quotes. */
export interface HeaderListForm {
  readonly separator: ',' | ';';
  /** True for quoted-string, false for entity-tag, where `\` is a character like others. */
  readonly escapes: boolean;
}

/**
 * The elements of a list in a header, without white space around them and without empty ones. A separator in
 * quotes belongs to its element (RFC 9110 §5.6).
 */
export function headerList(
  text: string,
  { separator, escapes }: HeaderListForm = { separator: ',', escapes: true },
): string[] {
  const elements: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted && escapes && code === BACKSLASH) at += 1;
    if (at < text.length && (isQuoted || text[at] !== separator)) continue;
    const element = text.slice(from, at).trim();
    if (element !== '') elements.push(element);
    from = at + 1;
  }
  return elements;
}
