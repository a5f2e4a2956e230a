import type { IncomingHttpHeaders } from 'node:http2';
import type { HeaderDecoder } from '../hpack/header-decoder.js';
import type { TableEntry } from '../hpack/static-headers.js';
import {
  MAX_HEADER_BYTES,
  MAX_HEADER_FIELDS,
  addField,
  hasControl,
  isAuthority,
  isFieldName,
  isMethod,
  isOfConnection,
  isPath,
  isScheme,
} from './field-rules.js';
import { HTTP2_ERROR } from './frames.js';

const DIGITS = /^\d{1,15}$/;

/** The headers, or the trailers, of a request that came. */
export class ReceivedRequest {
  /** `:method`; an empty text where there is none, as in trailers. So are the others. */
  method = '';
  scheme = '';
  /** `:authority`, or `host`. */
  authority = '';
  /** Begins with a slash, or is `*`; empty for CONNECT. */
  path = '';
  /** The other headers, in the form that `node:http2` gives them. */
  readonly headers: IncomingHttpHeaders = Object.create(null) as IncomingHttpHeaders;
  /** Bytes of the body, where they are announced. */
  length: number | undefined;
  /** The code of the reset that they deserve: RFC 9113, 8.3 for headers, 8.1 for trailers. */
  fault: number | undefined;
  #bytes = 0;
  #fields = 0;
  #pseudos = 0;

  /**
   * Decodes a block completely, even if its headers are invalid: later blocks depend on it.
   *
   * @throws CompressionError
   */
  static read(this: void, decoder: HeaderDecoder, block: Buffer): ReceivedRequest {
    const received = new ReceivedRequest();
    decoder.decode(block, (entry) => received.#add(entry));
    received.fault ??= received.#faultOfWhole();
    return received;
  }

  /** Whether there are no pseudo-headers. */
  get isTrailers(): boolean {
    return this.#pseudos === 0;
  }

  #add({ name, value, size }: TableEntry): void {
    if (this.fault !== undefined) return;
    this.#bytes += size;
    this.#fields += 1;
    if (this.#bytes > MAX_HEADER_BYTES || this.#fields > MAX_HEADER_FIELDS) {
      this.fault = HTTP2_ERROR.enhanceYourCalm;
    } else {
      const isFine = name.startsWith(':')
        ? this.#addPseudo(name, value)
        : this.#addField(name, value);
      if (!isFine) this.fault = HTTP2_ERROR.protocol;
    }
  }

  /** Each once, of its own form, and before all others. */
  #addPseudo(name: string, value: string): boolean {
    this.#pseudos += 1;
    if (this.#pseudos < this.#fields) return false;
    switch (name) {
      case ':method':
        if (this.method !== '' || !isMethod(value)) return false;
        this.method = value;
        return true;
      case ':scheme':
        if (this.scheme !== '' || !isScheme(value)) return false;
        this.scheme = value;
        return true;
      case ':authority':
        if (this.authority !== '' || !isAuthority(value)) return false;
        this.authority = value;
        return true;
      case ':path':
        if (this.path !== '' || !isPath(value)) return false;
        this.path = value;
        return true;
      default:
        return false;
    }
  }

  #addField(name: string, text: string): boolean {
    if (!isFieldName(name) || isOfConnection(name) || hasControl(text)) return false;
    const value = withoutSpace(text);
    if (name === 'te') {
      if (value.toLowerCase() !== 'trailers') return false;
    } else if (name === 'host') {
      if (this.headers.host !== undefined || !isAuthority(value)) return false;
    } else if (name === 'content-length') {
      if (this.length !== undefined || !DIGITS.test(value)) return false;
      this.length = Number(value);
    }
    addField(this.headers, name, value);
    return true;
  }

  #faultOfWhole(): number | undefined {
    // The length of a body is announced before it (RFC 9110, 6.5.1).
    if (this.isTrailers) return this.length === undefined ? undefined : HTTP2_ERROR.protocol;
    const { host } = this.headers;
    if (this.authority === '') this.authority = host ?? '';
    const isSame = host === undefined || host.toLowerCase() === this.authority.toLowerCase();
    const isWhole =
      this.method === 'CONNECT'
        ? this.scheme === '' && this.path === ''
        : this.method !== '' && this.scheme !== '' && this.#hasPath();
    return isSame && isWhole && this.authority !== '' ? undefined : HTTP2_ERROR.protocol;
  }

  #hasPath(): boolean {
    return this.path.startsWith('/') || (this.path === '*' && this.method === 'OPTIONS');
  }
}

/** White space around a value is no part of it (RFC 9110, 5.5). */
function withoutSpace(text: string): string {
  let [from, end] = [0, text.length];
  while (from < end && isSpace(text.charCodeAt(from))) from += 1;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end - from === text.length ? text : text.slice(from, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
