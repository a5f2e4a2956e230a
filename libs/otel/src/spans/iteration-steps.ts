import { types } from 'node:util';
import { context } from '@opentelemetry/api';
import type { BeginRun, OpenSpan } from './open-span.js';

/** A method of an iterator. */
export type IteratorStep = (this: unknown, ...args: unknown[]) => unknown;

/** The steps of one iteration: its span is active in each, and ends with the last one, or with one that fails. */
export class IterationSteps {
  #open: OpenSpan | undefined;
  #isOver = false;

  /** @param begin called with the first step. */
  constructor(private readonly begin: BeginRun) {}

  /** The same step, in the span. */
  traced(original: IteratorStep): IteratorStep {
    const run = (self: unknown, args: unknown[]): unknown => this.#run(original, self, args);
    return function (this: unknown, ...args) {
      return run(this, args);
    };
  }

  #run(original: IteratorStep, self: unknown, args: unknown[]): unknown {
    if (this.#isOver) return original.apply(self, args);
    this.#open ??= this.begin();
    if (this.#open === undefined) return original.apply(self, args);
    let step: unknown;
    try {
      step = context.with(this.#open.context, original, self, ...args);
    } catch (error) {
      return this.#failed(error);
    }
    return types.isPromise(step)
      ? step.then(
          (value) => this.#seen(value),
          (error: unknown) => this.#failed(error),
        )
      : this.#seen(step);
  }

  #seen(step: unknown): unknown {
    if ((step as IteratorResult<unknown> | undefined)?.done === true) {
      this.#isOver = true;
      this.#open?.end();
    }
    return step;
  }

  #failed(thrown: unknown): never {
    this.#isOver = true;
    this.#open?.fail(thrown);
    throw thrown;
  }
}
