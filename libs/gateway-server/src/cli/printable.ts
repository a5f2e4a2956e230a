/** Controls but tab and line feed, and what hides or turns text around. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text for a terminal: what a server says of itself must not steer it. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (char) => {
    const hex = char.codePointAt(0)!.toString(16);
    return `\\u{${hex}}`;
  });
}
