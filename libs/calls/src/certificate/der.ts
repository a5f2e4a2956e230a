/** One value of DER (X.690): what it is, and its content. */
export interface DerValue {
  /** The identifier octet, such as 0x30 for a SEQUENCE. */
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * The values that follow each other in these bytes, such as those inside a SEQUENCE. Strict: what
 * only BER allows is refused, because two readers may read it in two ways.
 *
 * @throws RangeError for anything but DER, and for tags above 30, which certificates do not have.
 */
export function derValues(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at]!;
    const { length, start } = lengthAt(bytes, at + 1);
    const end = start + length;
    if ((tag & 0x1f) === 0x1f || end > bytes.length) throw notDer();
    values.push({ tag, content: bytes.subarray(start, end) });
    at = end;
  }
  return values;
}

/** The content of the only value in these bytes. @throws RangeError as {@link derValues}. */
export function derContent(bytes: Uint8Array, tag: number): Uint8Array {
  const [value, ...others] = derValues(bytes);
  if (value?.tag !== tag || others.length > 0) throw notDer();
  return value.content;
}

/** An OBJECT IDENTIFIER in dotted form. */
export function oidText(content: Uint8Array): string {
  const parts: number[] = [];
  let part = 0;
  for (const byte of content) {
    part = part * 128 + (byte & 0x7f);
    if (!Number.isSafeInteger(part)) throw notDer();
    if (byte < 0x80) {
      parts.push(part);
      part = 0;
    }
  }
  const [first = 0, ...rest] = parts;
  const top = Math.min(Math.floor(first / 40), 2);
  return [top, first - 40 * top, ...rest].join('.');
}

function lengthAt(bytes: Uint8Array, at: number): { length: number; start: number } {
  const first = bytes[at];
  if (first === undefined) throw notDer();
  if (first < 0x80) return { length: first, start: at + 1 };
  const size = first & 0x7f;
  const start = at + 1 + size;
  // 0x80 is the indefinite length of BER; four bytes are more than a certificate has.
  if (size === 0 || size > 4 || start > bytes.length) throw notDer();
  let length = 0;
  for (const byte of bytes.subarray(at + 1, start)) length = length * 256 + byte;
  const shortest = length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8);
  if (size !== shortest) throw notDer();
  return { length, start };
}

function notDer(): RangeError {
  return new RangeError('the certificate is not valid DER');
}
