import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Code, StatusError } from '@apix/contracts';
import { answerOf } from './answer.js';
import { httpExceptionOf } from './http-exception-of.js';
import { problemAnswer } from './problem-answer.js';
import { withErrorCode } from '../../../../tools/testing/error-code.js';
import { withNest } from '../../../../tools/testing/nest-major.js';

const CODED = withNest<object>({ 11: {}, 12: { errorCode: 'E1' } });
const problem = { type: 'about:blank', status: 400, code: 'INVALID_ARGUMENT' };

describe('the problem document of an HttpException', () => {
  it.each([
    ['a list', new BadRequestException(['a', 'b']), { ...problem, message: ['a', 'b'] }],
    ['a list alone', new HttpException(['a', 'b'], 400), { ...problem, message: ['a', 'b'] }],
    ['no body', new HttpException(null as unknown as string, 400), problem],
    [
      'a code of its own',
      new HttpException('no', 400, withErrorCode('E1')),
      { ...problem, detail: 'no', ...CODED },
    ],
    [
      'a code beside its text',
      new NotFoundException('no', withErrorCode('E1')),
      { status: 404, detail: 'no', ...CODED },
    ],
    [
      'members of a problem document',
      new HttpException({ type: '/e/1', code: 'E1', status: 200, statusCode: 200 }, 400),
      { type: '/e/1', code: 'E1', status: 400 },
    ],
    [
      'an error that is no text',
      new HttpException({ error: { id: 1 }, message: 'no' }, 400),
      { ...problem, detail: 'no', error: { id: 1 } },
    ],
  ])('with %s keeps it', (_, exception, expected) => {
    const document = problemAnswer(answerOf(exception, 'http'), exception);
    expect(document).toMatchObject(expected);
    expect(document).not.toHaveProperty('statusCode');
  });

  it('that was made of a StatusError is that of the StatusError', () => {
    const error = new StatusError(Code.PERMISSION_DENIED, 'not yours');
    const exception = httpExceptionOf(error);
    expect(problemAnswer(answerOf(exception, 'http'), exception)).toEqual(
      problemAnswer(answerOf(error, 'http'), error),
    );
  });
});
