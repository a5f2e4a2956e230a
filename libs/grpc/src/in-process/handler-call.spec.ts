import { Metadata, status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { answerStatus } from './handler-call.js';

const own = new Metadata();
own.set('x-why', 'own');
const trailers = new Metadata();
trailers.set('x-why', 'trailers');

describe('answerStatus', () => {
  it.each<[string, unknown, status, string]>([
    ['a plain error', new Error('boom'), status.UNKNOWN, 'boom'],
    ['an error without a message', new Error(''), status.UNKNOWN, ''],
    ['an object without a message', {}, status.UNKNOWN, 'Unknown Error'],
    ['a text', 'boom', status.UNKNOWN, 'Unknown Error'],
    ['a message that is no text', { message: 7 }, status.UNKNOWN, 'Unknown Error'],
    ['a code and details', { code: 5, details: 'gone', message: 'no' }, status.NOT_FOUND, 'gone'],
    ['a code without details', { code: 5, message: 'gone' }, status.NOT_FOUND, 'gone'],
    [
      'a code and details that are none',
      { code: 5, details: 7, message: 'a' },
      status.NOT_FOUND,
      'a',
    ],
    ['a code that is a text', { code: '5', details: 'gone', message: 'no' }, status.UNKNOWN, 'no'],
    [
      'a code that is a fraction',
      { code: 5.5, details: 'gone', message: 'no' },
      status.UNKNOWN,
      'no',
    ],
  ])('has for %s the status that grpc-js has', (_, error, code, details) => {
    expect(answerStatus(error)).toEqual({ code, details, metadata: null });
  });

  it('has the metadata of the error, unless there are trailers', () => {
    expect(answerStatus({ code: 5, metadata: own }).metadata).toBe(own);
    expect(answerStatus({ code: 5, metadata: own }, trailers).metadata).toBe(trailers);
  });
});
