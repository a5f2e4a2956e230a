import { type CallMetadata } from '@apix/contracts';
import { headerValues } from '@apix/contracts/internal';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Headers as the app's middleware left them, with every value separate: a header sent twice has two values.
 * Read from the raw list, which HTTP/1, HTTP/2 and requests injected by tests all have.
 */
export class HttpMetadata implements CallMetadata {
  readonly #raw: readonly string[];
  readonly #headers: IncomingHttpHeaders;

  constructor(raw: readonly string[], headers: IncomingHttpHeaders) {
    this.#raw = raw;
    this.#headers = headers;
  }

  get(key: string): readonly string[] {
    if (!Object.hasOwn(this.#headers, key)) return [];
    // Why: docs/decisions/0021
    return headerValues(key, this.#headers[key], this.received(key));
  }

  keys(): readonly string[] {
    return Object.keys(this.#headers).filter((key) => this.#headers[key] !== undefined);
  }

  /** Whether it is known what came over the wire; every request has a header, `host` at least. */
  get isKnownAsReceived(): boolean {
    return this.#raw.length > 0;
  }

  /** Every value of a header as received, even if the framework dropped or merged it. */
  received(key: string): readonly string[] {
    const received: string[] = [];
    for (let i = 0; i + 1 < this.#raw.length; i += 2) {
      if (this.#raw[i]!.toLowerCase() === key) received.push(this.#raw[i + 1]!);
    }
    return received;
  }
}
