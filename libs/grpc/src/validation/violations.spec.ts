import type { Violation } from '@bufbuild/protovalidate';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { violationError } from './violations.js';

/** Of a rule of a whole message, which has no field. */
const ofMessage = (message: string): Violation =>
  ({ field: [], rule: [], message, ruleId: 'money.sign' }) as unknown as Violation;

describe('the violations that a caller gets', () => {
  it.each<[string[], string]>([
    [['the signs differ'], 'invalid request: the signs differ'],
    [[''], 'invalid request: breaks the rule money.sign'],
    [['first', 'second'], 'invalid request: first (and 1 more)'],
    [['first', 'second', 'third'], 'invalid request: first (and 2 more)'],
  ])('is, for %j, the first and how many there are', (messages, text) => {
    const error = violationError(messages.map(ofMessage), EmptySchema);
    expect([error.code, error.message]).toEqual([3, text]);
    expect(error.details).toHaveLength(1);
  });
});
