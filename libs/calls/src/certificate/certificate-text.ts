import type { DerValue } from './der.js';

const UTF8_STRING = 0x0c;
const PRINTABLE_STRING = 0x13;
const IA5_STRING = 0x16;

/** A line end or NUL in a name is there to be read as the end of it. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;
const ASCII = /^[ -~]*$/;
/** As in a URI, a host name or a mailbox. */
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The text of a name's attribute; undefined where it is empty, has control characters, or is in an
 * encoding that readers understand differently, such as TeletexString.
 */
export function attributeText({ tag, content }: DerValue): string | undefined {
  const text = decoded(tag, content);
  return text === undefined || text === '' || CONTROLS.test(text) ? undefined : text;
}

/** The text of an alternative name; undefined unless it is visible ASCII, as RFC 5280 has it. */
export function alternativeText(content: Uint8Array): string | undefined {
  const text = Buffer.from(content).toString('latin1');
  return VISIBLE_ASCII.test(text) ? text : undefined;
}

function decoded(tag: number, content: Uint8Array): string | undefined {
  if (tag === PRINTABLE_STRING || tag === IA5_STRING) {
    const text = Buffer.from(content).toString('latin1');
    return ASCII.test(text) ? text : undefined;
  }
  if (tag !== UTF8_STRING) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
