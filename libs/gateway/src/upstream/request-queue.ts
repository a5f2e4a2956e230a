import type { Message } from '@bufbuild/protobuf';
import type { UpstreamCall } from './upstream.js';

/** Requests that may wait before their source is held back, and how many bytes of them. */
const ROOM = 16;
const ROOM_BYTES = 64 * 1024;

/** The requests of a stream, sent one after the other as the call takes them. */
export class RequestQueue {
  readonly #call: UpstreamCall;
  readonly #onEmpty: () => void;
  readonly #waiting: { readonly message: Message; readonly bytes: number }[] = [];
  #waitingBytes = 0;
  #isSending = false;
  #ended = false;

  /** @param onEmpty called when all that waited is sent, so that their source may go on. */
  constructor(call: UpstreamCall, onEmpty: () => void) {
    this.#call = call;
    this.#onEmpty = onEmpty;
  }

  /**
   * @param bytes how long the message was as it came.
   * @returns false when the source should wait for `onEmpty`.
   */
  send(message: Message, bytes: number): boolean {
    if (this.#isSending) {
      this.#waiting.push({ message, bytes });
      this.#waitingBytes += bytes;
    } else this.#send(message);
    return this.#waiting.length < ROOM && this.#waitingBytes < ROOM_BYTES;
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
    if (next !== undefined) {
      this.#waitingBytes -= next.bytes;
      this.#send(next.message);
    } else {
      this.#isSending = false;
      if (this.#ended) this.#call.halfClose();
      this.#onEmpty();
    }
  };
}
