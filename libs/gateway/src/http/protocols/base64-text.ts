import { badRequest } from '../../errors.js';
import type { MessageFraming, FramingReader, RpcFrame } from './protocol.js';

/** Characters that stand for three bytes. */
const GROUP = 4;

/** Anything but base64; a pattern of groups would run out of stack at a few megabytes. */
const STRANGE = /[^A-Za-z0-9+/]/;
const PADDED = /^[A-Za-z0-9+/]{2,3}={1,2}$/;

/** Base64 that comes in pieces, cut anywhere; what follows padding is base64 again. */
export class Base64Reader {
  #rest = '';

  /** @throws HttpRefusal for text that is not base64. */
  read(chunk: Buffer): Buffer {
    const text = this.#rest + chunk.toString('latin1');
    const whole = text.length - (text.length % GROUP);
    this.#rest = text.slice(whole);
    return decodedText(text.slice(0, whole));
  }

  get heldBytes(): number {
    return this.#rest.length;
  }

  /** @throws HttpRefusal if the text ends within a group. */
  end(): void {
    if (this.#rest !== '') throw notBase64();
  }
}

/** The same messages in base64. */
export function inBase64(framing: MessageFraming): MessageFraming {
  return {
    // A client may pad each chunk that it sends: the head alone, at least.
    bodyBytes: (maxBytes) => GROUP * (Math.ceil(framing.bodyBytes(maxBytes) / 3) + 1),
    reader: (maxBytes) => new TextReader(framing.reader(maxBytes)),
  };
}

class TextReader implements FramingReader {
  readonly #text = new Base64Reader();

  constructor(private readonly messages: FramingReader) {}

  get heldBytes(): number {
    return this.#text.heldBytes + this.messages.heldBytes;
  }

  read(chunk: Buffer): Iterable<RpcFrame> {
    return this.messages.read(this.#text.read(chunk));
  }

  end(): void {
    this.#text.end();
    this.messages.end();
  }
}

/** Groups of four characters. */
function decodedText(text: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  while (from < text.length) {
    const padding = text.indexOf('=', from);
    const end = padding === -1 ? text.length : padding - (padding % GROUP);
    const plain = text.slice(from, end);
    if (STRANGE.test(plain)) throw notBase64();
    parts.push(Buffer.from(plain, 'base64'));
    from = end;
    if (padding === -1) break;
    const last = text.slice(end, end + GROUP);
    if (last.length !== GROUP || !PADDED.test(last)) throw notBase64();
    parts.push(Buffer.from(last, 'base64'));
    from = end + GROUP;
  }
  return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
}

function notBase64(): Error {
  return badRequest('request body: is not base64');
}
