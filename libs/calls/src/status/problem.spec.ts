import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decodeBadRequest, encodeBadRequest } from './bad-request.js';
import { Code, StatusError } from '@apix/contracts';
import { offerMessageRedaction } from '@apix/contracts/internal';
import { problemOf } from './problem.js';

/** A length-delimited field shorter than 128 bytes. */
function field(number: number, value: string | readonly number[]): number[] {
  const bytes = typeof value === 'string' ? [...Buffer.from(value)] : value;
  return [(number << 3) | 2, bytes.length, ...bytes];
}

const badRequest = Uint8Array.from([
  ...field(1, [...field(1, 'order.id'), ...field(2, 'must not be empty'), ...field(3, 'min_len')]),
  ...field(9, 'a field of a later version'),
  ...field(1, [0x08, 0x96, 0x01, ...field(2, 'Größe'), ...field(1, 'size')]),
]);

describe('problemOf', () => {
  it('carries the code, its HTTP status and the message', () => {
    expect(problemOf(new StatusError(Code.NOT_FOUND, 'no such order'))).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'no such order',
      code: 'NOT_FOUND',
    });
  });

  it('lists the violations of a google.rpc.BadRequest as errors', () => {
    const typeUrl = 'type.googleapis.com/google.rpc.BadRequest';
    const details = [{ typeUrl, value: badRequest }];
    expect(
      problemOf(new StatusError(Code.INVALID_ARGUMENT, 'invalid', { details })).errors,
    ).toEqual([
      { field: 'order.id', detail: 'must not be empty', reason: 'min_len' },
      { field: 'size', detail: 'Größe' },
    ]);
  });

  it('renders other details with the given function, and the unknown ones as base64', () => {
    const details = [
      { typeUrl: 'x/known', value: Uint8Array.of(1) },
      { typeUrl: 'x/unknown', value: Uint8Array.of(1, 2) },
      { typeUrl: 'x/google.rpc.BadRequest', value: Uint8Array.of(0xff) },
    ];
    const problem = problemOf(new StatusError(Code.ABORTED, 'no', { details }), {
      renderDetail: ({ typeUrl }) => (typeUrl === 'x/known' ? { known: true } : undefined),
    });
    expect(problem.details).toEqual([
      { known: true },
      { '@type': 'x/unknown', value: 'AQI=' },
      { '@type': 'x/google.rpc.BadRequest', value: '/w==' },
    ]);
  });

  it('never carries the cause, the stack or the trailers', () => {
    const error = new StatusError(Code.INTERNAL, 'failed', {
      cause: new Error('password=hunter2'),
      trailers: { 'x-secret': 'hunter2' },
    });
    expect(JSON.stringify(problemOf(error))).not.toContain('hunter2');
  });

  it('takes another HTTP status, with the title that belongs to it', () => {
    const error = new StatusError(Code.RESOURCE_EXHAUSTED, 'too large');
    expect(problemOf(error, { status: 413 })).toMatchObject({
      status: 413,
      title: 'Payload Too Large',
      code: 'RESOURCE_EXHAUSTED',
    });
  });
});

describe('decodeBadRequest', () => {
  it('says undefined for bytes that end too early', () => {
    expect(decodeBadRequest(badRequest.subarray(0, 9))).toBeUndefined();
  });

  it('reads back what encodeBadRequest wrote', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    const violation = fc.record({ field: text, description: text, reason: text });
    fc.assert(
      fc.property(fc.array(violation, { maxLength: 5 }), (violations) => {
        expect(decodeBadRequest(encodeBadRequest(violations).value)).toEqual(violations);
      }),
    );
  });

  it('never throws, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(() => decodeBadRequest(bytes)).not.toThrow();
      }),
    );
  });
});

describe('the bytes of a detail', () => {
  it('are not shown if what knows its type hides them', () => {
    const details = [{ typeUrl: 'x/test.Login', value: Buffer.from('hunter2') }];
    const error = new StatusError(Code.ABORTED, 'no', { details });
    expect(problemOf(error).details).toEqual([{ '@type': 'x/test.Login', value: 'aHVudGVyMg==' }]);
    offerMessageRedaction((value) => ({ ...value, value: '[REDACTED]' }));
    expect(problemOf(error).details).toEqual([{ '@type': 'x/test.Login', value: '[REDACTED]' }]);
  });
});
