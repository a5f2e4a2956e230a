/** Longest status text in the form in which it travels, percent-encoded: docs/decisions/0125. */
const MAX_ENCODED = 4_096;

/** A UTF-16 unit is at most nine characters on the wire: three bytes, each as `%XX`. */
const MAX_ENCODED_PER_UNIT = 9;

const CUT = '…';

/**
 * A status text as gRPC can send it: well-formed, and at most 4,096 characters once it is percent-encoded.
 * A lone surrogate becomes U+FFFD, a longer text is cut between two characters and ends in `…`, and
 * anything other than text becomes the empty text.
 *
 * grpc-js throws an error that cannot be caught if the text is ill-formed, and a status of 70 kB stalls
 * every call of its connection.
 */
export function statusText(value: unknown): string {
  if (typeof value !== 'string') return '';
  const fits = value.length * MAX_ENCODED_PER_UNIT <= MAX_ENCODED;
  // No more units than characters on the wire, so the rest of a huge text need not be looked at.
  const text = (fits ? value : value.slice(0, MAX_ENCODED + 1)).toWellFormed();
  return fits || encodeURI(text).length <= MAX_ENCODED ? text : cut(text);
}

function cut(text: string): string {
  let room = MAX_ENCODED - encodeURI(CUT).length;
  let end = 0;
  for (const character of text) {
    room -= encodeURI(character).length;
    if (room < 0) break;
    end += character.length;
  }
  return text.slice(0, end) + CUT;
}
