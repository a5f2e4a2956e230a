import { cutText } from '@apix/contracts/internal';

/** The longest description of a tool, in UTF-16 units. */
export const LONGEST_DESCRIPTION = 4096;
/** The longest description of a message, a field or an enum. */
export const LONGEST_PART = 1024;
/** The longest title of a tool. */
export const LONGEST_TITLE = 128;

/**
 * A text of a .proto file or an error as a model may read it: without characters that people do not see, such as
 * control characters, overrides of the direction and tags, which can hide instructions, and with an end. Line feeds
 * stay, and the joiners that scripts and emoji need.
 *
 * @param limit in UTF-16 units; a longer text is cut and ends in `…`.
 */
export function cleanText(text: string, limit: number): string {
  if (VISIBLE.test(text)) return cutText(text.trim(), limit);
  const visible = text
    .toWellFormed()
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]/gu, '');
  return cutText(visible.trim(), limit);
}

/** ASCII that everyone sees. */
const VISIBLE = /^[\n -~]*$/;

/** The same in one line. */
export function cleanLine(text: string, limit: number): string {
  return cleanText(text.replaceAll(/\s+/g, ' '), limit);
}
