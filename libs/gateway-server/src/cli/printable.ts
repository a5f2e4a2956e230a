/** Control characters except tab and line feed, and characters that hide or reorder text. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes text safe for a terminal: text from a server must not control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (char) => {
    const hex = char.codePointAt(0)!.toString(16);
    return `\\u{${hex}}`;
  });
}
