import { isUint8Array } from 'node:util/types';

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

/** Refuses a value, by what its field holds: `expected an integer (int32), got 1.5`. */
export function refuse(expected: string, value: unknown): never {
  throw new ValueError(`expected ${expected}, got ${describeValue(value)}`);
}

const LONGEST_TEXT = 30;

/** Describes a value for an error message; short, whatever the value contains. */
function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > LONGEST_TEXT
        ? `a string of ${value.length} characters`
        : JSON.stringify(value);
    case 'bigint':
      return BigInt.asIntN(128, value) === value ? `${value}n` : 'a bigint of more than 128 bits';
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    case 'object':
      return describeObject(value);
  }
}

function describeObject(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isUint8Array(value)) return `bytes (${value.length})`;
  const typeName = '$typeName' in value ? value.$typeName : undefined;
  return typeof typeName === 'string' ? `a message ${typeName}` : 'an object';
}
