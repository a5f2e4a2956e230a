import type { TraceHeaders } from '../messages/sent-message.js';
import type { Placing } from './placings.js';

/**
 * The user properties of a client of MQTT 5, which Nest copies from the client's options into each message,
 * right after it has been serialized and in the same turn.
 */
export class UserProperties {
  readonly #own: Readonly<Record<string, unknown>>;
  /** The value of the client's option. */
  readonly shared: Record<string, unknown>;
  readonly placing: Placing;

  constructor(own: object = {}) {
    this.#own = { ...own };
    this.shared = { ...own };
    this.placing = {
      before: (packet, headers) => {
        this.#put(headers);
        return packet;
      },
    };
  }

  #put(headers: TraceHeaders): void {
    for (const name of Object.keys(this.shared)) delete this.shared[name];
    Object.assign(this.shared, this.#own, headers);
  }
}
