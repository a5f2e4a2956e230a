/**
 * A value that its field cannot hold. Its message names the place and the problem, as
 * `shop.v1.Order.lines[2].quantity: expected an integer (int32), got 1.5`.
 *
 * It is thrown without a place. Each that passes it on puts its own step in front, so a good value
 * pays nothing for it.
 */
export class ValueError extends Error {
  /** Where, from the message that was being written: `.lines[2].quantity`; '' is that message. */
  path = '';

  constructor(
    /** What is wrong there. */
    readonly problem: string,
  ) {
    super(problem);
    this.name = 'ValueError';
  }

  /** Puts the name of the message's type, or a step such as `.lines` or `[2]`, before the place. */
  within(step: string): this {
    this.path = `${step}${this.path}`;
    this.message = `${this.path}: ${this.problem}`;
    return this;
  }
}

/** An error that came through a step of a path: a {@link ValueError} names it then. */
export function within(step: string, error: unknown): unknown {
  return error instanceof ValueError ? error.within(step) : error;
}

/** The step to an entry of a map. */
export function entryStep(key: string): string {
  return `[${JSON.stringify(key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key)}]`;
}

const LONGEST_KEY = 60;
