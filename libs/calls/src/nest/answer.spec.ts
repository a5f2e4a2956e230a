import { describe, expect, it } from '@jest/globals';
import { Code } from '@apix/contracts';
import { answerOf } from './answer.js';

describe('the answer to a StatusError of another copy', () => {
  it.each([Code.OK, 99, 'NOT_FOUND'])('whose code is %s is UNKNOWN', (code) => {
    const error = { [Symbol.for('apix.StatusError')]: true, code, message: 'closed' };
    expect(answerOf(error, 'rpc').error).toMatchObject({ code: Code.UNKNOWN, message: 'closed' });
  });
});
