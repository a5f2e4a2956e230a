import { isPromiseLike } from '@apix/contracts/internal';
import { Observable, type Subscriber, takeWhile } from 'rxjs';

/**
 * The values of an Observable, in order, with each promise awaited. Like `concatMap`, which creates an
 * Observable for each value: a large part of the cost of a stream of small messages.
 */
export function settledValues(source: Observable<unknown>): Observable<unknown> {
  return new Observable((subscriber) => {
    const queue = new SettledQueue(subscriber);
    // A source that emits synchronously cannot be unsubscribed before its end.
    return source.pipe(takeWhile(() => !subscriber.closed)).subscribe(queue);
  });
}

class SettledQueue {
  readonly #subscriber: Subscriber<unknown>;
  /** The next values, one by one: shifting a long array would move all of it each time. */
  #giving: unknown[] = [];
  #given = 0;
  /** The values that arrived since, emitted after them. */
  #waiting: unknown[] = [];
  /** A promise is being awaited or a value emitted: values that arrive meanwhile wait. */
  #isBusy = false;
  #isComplete = false;

  constructor(subscriber: Subscriber<unknown>) {
    this.#subscriber = subscriber;
  }

  readonly next = (value: unknown): void => {
    if (this.#isBusy) {
      // A promise that rejects before its turn would end the process: nothing listens to it yet. `then` of
      // other thenables is called once, in their turn: it may start a query.
      if (value instanceof Promise) value.catch(ignore);
      this.#waiting.push(value);
      return;
    }
    this.#take(value);
    this.#giveAll();
  };

  readonly error = (error: unknown): void => this.#subscriber.error(error);

  readonly complete = (): void => {
    this.#isComplete = true;
    this.#giveAll();
  };

  #giveAll(): void {
    while (!this.#isBusy && this.#hasNext()) {
      const value = this.#giving[this.#given];
      this.#giving[this.#given++] = undefined;
      this.#take(value);
    }
    if (!this.#isBusy && this.#isComplete) this.#subscriber.complete();
  }

  #take(value: unknown): void {
    this.#isBusy = true;
    if (isPromiseLike(value)) Promise.resolve(value).then(this.#giveSettled, this.error);
    else this.#give(value);
  }

  #hasNext(): boolean {
    if (this.#given === this.#giving.length) {
      if (this.#waiting.length === 0) return false;
      this.#giving = this.#waiting;
      this.#given = 0;
      this.#waiting = [];
    }
    return true;
  }

  readonly #giveSettled = (value: unknown): void => {
    this.#give(value);
    this.#giveAll();
  };

  #give(value: unknown): void {
    this.#subscriber.next(value);
    this.#isBusy = false;
  }
}

function ignore(): void {
  // It is listened to when its turn comes.
}
