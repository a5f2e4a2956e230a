import type { Message } from '@bufbuild/protobuf';
import type { UpstreamCall } from './upstream.js';

/** Requests that may wait before their source is held back. */
const ROOM = 16;

/** The requests of a stream, sent one after the other as the call takes them. */
export class RequestQueue {
  readonly #call: UpstreamCall;
  readonly #onEmpty: () => void;
  readonly #waiting: Message[] = [];
  #isSending = false;
  #ended = false;

  /** @param onEmpty called when all that waited is sent, so that their source may go on. */
  constructor(call: UpstreamCall, onEmpty: () => void) {
    this.#call = call;
    this.#onEmpty = onEmpty;
  }

  /** @returns false when the source should wait for `onEmpty`. */
  send(message: Message): boolean {
    if (this.#isSending) this.#waiting.push(message);
    else this.#send(message);
    return this.#waiting.length < ROOM;
  }

  /** Ends the requests, after those that wait. */
  end(): void {
    this.#ended = true;
    if (!this.#isSending) this.#call.halfClose();
  }

  #send(message: Message): void {
    this.#isSending = true;
    this.#call.send(message, this.#taken);
  }

  readonly #taken = (): void => {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#send(next);
    else {
      this.#isSending = false;
      if (this.#ended) this.#call.halfClose();
      this.#onEmpty();
    }
  };
}
