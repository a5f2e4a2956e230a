import { Code, StatusError } from '@apix/contracts';
import { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { type CallFailure, abortFailure, stageOutcome } from './call-failure.js';

function ended(code: Code, fromServer: boolean): CallFailure {
  const status = { code: code as number, details: 'told', metadata: new Metadata() };
  return { by: 'status', end: { status, fromServer } };
}

describe('the end of a call that stages get', () => {
  it.each<[string, CallFailure | undefined, object]>([
    ['that was answered', undefined, { code: Code.OK, cancelled: false }],
    [
      'whose deadline the server has seen pass',
      ended(Code.DEADLINE_EXCEEDED, true),
      { code: Code.DEADLINE_EXCEEDED, message: 'told', cancelled: false },
    ],
    [
      'whose deadline has passed here',
      ended(Code.DEADLINE_EXCEEDED, false),
      { code: Code.DEADLINE_EXCEEDED, message: 'told', cancelled: true },
    ],
    [
      'that did not reach a server',
      ended(Code.UNAVAILABLE, false),
      { code: Code.UNAVAILABLE, cancelled: false },
    ],
    [
      'that was given up',
      abortFailure(new Error('enough')),
      { code: Code.CANCELLED, message: 'enough', cancelled: true },
    ],
    [
      'whose requests could not be had',
      { by: 'thrown', error: new StatusError(Code.NOT_FOUND, 'no paper') },
      { code: Code.NOT_FOUND, message: 'no paper', cancelled: true },
    ],
  ])('%s', (_what, failure, outcome) => {
    expect(stageOutcome(failure)).toMatchObject(outcome);
  });
});

describe('a signal that ends a call', () => {
  it.each<[string, unknown, Code]>([
    ['an error', new Error('enough'), Code.CANCELLED],
    ['a timeout', new DOMException('late', 'TimeoutError'), Code.DEADLINE_EXCEEDED],
    ['a timeout of another realm', { name: 'TimeoutError' }, Code.DEADLINE_EXCEEDED],
    ['a status', new StatusError(Code.ABORTED, 'again'), Code.ABORTED],
    ['null', null, Code.CANCELLED],
    [
      'an object that cannot be read',
      Object.defineProperty({}, 'name', {
        get() {
          throw new Error('no');
        },
      }),
      Code.CANCELLED,
    ],
  ])('because of %s', (_what, reason, code) => {
    expect(abortFailure(reason)).toMatchObject({ by: 'client', code });
  });
});
