import { isPromiseLike } from '@apix/contracts';
import { Observable, type Subscriber, takeWhile } from 'rxjs';

/**
 * What an Observable emits, in order, with each promise awaited. As `concatMap` does, which makes
 * an Observable of each value: that is much of what a stream of small messages costs.
 */
export function settledValues(source: Observable<unknown>): Observable<unknown> {
  return new Observable((subscriber) => {
    const queue = new SettledQueue(subscriber);
    // A source that emits at once is not told before its end that no one listens.
    return source.pipe(takeWhile(() => !subscriber.closed)).subscribe(queue);
  });
}

class SettledQueue {
  readonly #subscriber: Subscriber<unknown>;
  /** What is given next, one by one: to shift a long array moves all of it each time. */
  #giving: unknown[] = [];
  #given = 0;
  /** What came since, given after it. */
  #waiting: unknown[] = [];
  /** A promise is awaited or a value is given: what comes meanwhile waits. */
  #isBusy = false;
  #isComplete = false;

  constructor(subscriber: Subscriber<unknown>) {
    this.#subscriber = subscriber;
  }

  readonly next = (value: unknown): void => {
    if (this.#isBusy) {
      // One that rejects before its turn would end the process: no one listens to it yet. Other thenables
      // are asked once, in their turn: that may be what has a query run.
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
