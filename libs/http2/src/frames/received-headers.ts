import type { IncomingHttpHeaders } from 'node:http2';
import type { HeaderDecoder } from '../hpack/header-decoder.js';
import type { TableEntry } from '../hpack/static-headers.js';
import { HTTP2_ERROR } from './frames.js';

/** What the headers of one answer may take up, in bytes as RFC 9113, 6.5.2 counts them, and in number: as Node has it. */
const MAX_BYTES = 65_535;
const MAX_HEADERS = 128;

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const UPPER_CASE = /[A-Z]/;
const TAB = 0x09;
const SPACE = 0x20;
const DELETE = 0x7f;

/** Of one connection, so not for HTTP/2 (RFC 9113, 8.2.2). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** Of which the first one counts, as `node:http2` has it. */
const SINGLE: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'retry-after',
  'server',
  'user-agent',
]);

/** Headers that came, in the form that `node:http2` gives them. */
export class ReceivedHeaders {
  readonly headers: IncomingHttpHeaders = Object.create(null) as IncomingHttpHeaders;
  /** `:status`; undefined where there is none. */
  status: number | undefined;
  /** The code of the reset that they deserve. */
  fault: number | undefined;
  #bytes = 0;
  #count = 0;

  /**
   * Decodes a block completely, even if its headers are invalid: later blocks depend on it.
   *
   * @throws CompressionError
   */
  static read(decoder: HeaderDecoder, block: Buffer): ReceivedHeaders {
    const received = new ReceivedHeaders();
    decoder.decode(block, (entry) => received.#add(entry));
    return received;
  }

  #add({ name, value, size }: TableEntry): void {
    if (this.fault !== undefined) return;
    this.#bytes += size;
    this.#count += 1;
    if (this.#bytes > MAX_BYTES || this.#count > MAX_HEADERS)
      this.fault = HTTP2_ERROR.enhanceYourCalm;
    else if (name === ':status') this.#addStatus(value);
    else this.#addHeader(name, value);
  }

  #addStatus(value: string): void {
    if (this.#count > 1 || !/^[1-9]\d\d$/.test(value)) this.fault = HTTP2_ERROR.protocol;
    else this.status = Number(value);
  }

  #addHeader(name: string, value: string): void {
    if (!NAME.test(name)) {
      if (name.startsWith(':') || UPPER_CASE.test(name)) this.fault = HTTP2_ERROR.protocol;
      return;
    }
    if (OF_CONNECTION.has(name)) this.fault = HTTP2_ERROR.protocol;
    if (hasControl(value)) return;
    const { headers } = this;
    const existing = headers[name];
    if (name === 'set-cookie') headers[name] = [...(headers[name] ?? []), value];
    else if (existing === undefined) headers[name] = value;
    else if (!SINGLE.has(name)) headers[name] = `${String(existing)}, ${value}`;
  }
}

/** Whether a value has a control character of ASCII other than a tab. */
function hasControl(value: string): boolean {
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if ((code < SPACE && code !== TAB) || code === DELETE) return true;
  }
  return false;
}
