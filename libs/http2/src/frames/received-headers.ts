import type { IncomingHttpHeaders } from 'node:http2';
import type { HeaderDecoder } from '../hpack/header-decoder.js';
import type { TableEntry } from '../hpack/static-headers.js';
import {
  MAX_HEADER_BYTES,
  MAX_HEADER_FIELDS,
  addField,
  hasControl,
  isFieldName,
  isOfConnection,
} from './field-rules.js';
import { HTTP2_ERROR } from './frames.js';

const UPPER_CASE = /[A-Z]/;

/** Headers of an answer that came, in the form that `node:http2` gives them. */
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
  static read(this: void, decoder: HeaderDecoder, block: Buffer): ReceivedHeaders {
    const received = new ReceivedHeaders();
    decoder.decode(block, (entry) => received.#add(entry));
    return received;
  }

  #add({ name, value, size }: TableEntry): void {
    if (this.fault !== undefined) return;
    this.#bytes += size;
    this.#count += 1;
    if (this.#bytes > MAX_HEADER_BYTES || this.#count > MAX_HEADER_FIELDS) {
      this.fault = HTTP2_ERROR.enhanceYourCalm;
    } else if (name === ':status') this.#addStatus(value);
    else this.#addHeader(name, value);
  }

  #addStatus(value: string): void {
    if (this.#count > 1 || !/^[1-9]\d\d$/.test(value)) this.fault = HTTP2_ERROR.protocol;
    else this.status = Number(value);
  }

  #addHeader(name: string, value: string): void {
    if (!isFieldName(name)) {
      if (name.startsWith(':') || UPPER_CASE.test(name)) this.fault = HTTP2_ERROR.protocol;
      return;
    }
    if (isOfConnection(name)) this.fault = HTTP2_ERROR.protocol;
    if (!hasControl(value)) addField(this.headers, name, value);
  }
}
