import { broken } from './frame-checks.js';
import { PREFACE } from './frames.js';

/** Takes off what a client begins with (RFC 9113, 3.4), in however many parts it comes. */
export class PrefaceCheck {
  #bytes = 0;

  /** @throws ConnectionError for anything else. */
  strip(data: Buffer): Buffer {
    const from = this.#bytes;
    if (from === PREFACE.length) return data;
    const part = Math.min(PREFACE.length - from, data.length);
    if (PREFACE.compare(data, 0, part, from, from + part) !== 0)
      throw broken('no preface of HTTP/2');
    this.#bytes += part;
    return data.subarray(part);
  }
}
