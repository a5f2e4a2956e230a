import type { RequestIterable } from '../client/client-types.js';

/** Where requests go. */
export interface RequestTaker {
  /** Takes a request; `taken` is called when it may have the next one, unless it has ended. */
  send(request: unknown, taken: () => void): void;
  halfClose(): void;
  /** The requests could not be had. */
  fail(error: unknown): void;
}

type Source = Iterator<unknown> | AsyncIterator<unknown>;

/** Passes the requests of a caller to a call, one by one: the next is read when the last was taken. */
export class RequestPump {
  readonly #source: Source;
  readonly #taker: RequestTaker;
  #isStopped = false;
  #isDone = false;

  /** @throws TypeError for what cannot be iterated. */
  constructor(requests: RequestIterable<unknown>, taker: RequestTaker) {
    this.#source = iteratorOf(requests);
    this.#taker = taker;
  }

  start(): void {
    void this.#pump();
  }

  /** The call has ended: no more requests are needed, so `return` of the iterator is called. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    if (this.#isDone) return;
    // Not waited for: a generator that is waiting itself returns only afterwards.
    void this.#leave();
  }

  async #pump(): Promise<void> {
    try {
      while (!this.#isStopped) {
        const { done, value } = await this.#source.next();
        if (done === true) {
          this.#isDone = true;
          if (!this.#isStopped) this.#taker.halfClose();
          return;
        }
        if (this.#isStopped) return;
        await new Promise<void>((taken) => this.#taker.send(value, taken));
      }
    } catch (error) {
      this.#isDone = true;
      if (!this.#isStopped) this.#taker.fail(error);
    }
  }

  async #leave(): Promise<void> {
    try {
      await this.#source.return?.();
    } catch {
      // Whatever it is, the call is over.
    }
  }
}

function iteratorOf(requests: RequestIterable<unknown>): Source {
  const { [Symbol.asyncIterator]: later } = requests as Partial<AsyncIterable<unknown>>;
  if (typeof later === 'function') return later.call(requests);
  const { [Symbol.iterator]: now } = requests as Partial<Iterable<unknown>>;
  if (typeof now === 'function') return now.call(requests);
  throw new TypeError(
    'grpc: the requests of a stream must be an array, a generator or another iterable',
  );
}
