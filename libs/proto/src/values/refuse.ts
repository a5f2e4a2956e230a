import { describeValue } from './describe-value.js';
import { ValueError } from './value-error.js';

/** Refuses a value, by what its field holds: `expected an integer (int32), got 1.5`. */
export function refuse(expected: string, value: unknown): never {
  throw new ValueError(`expected ${expected}, got ${describeValue(value)}`);
}
