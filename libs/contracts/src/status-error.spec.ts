import { describe, expect, it } from '@jest/globals';
import { Code } from './code.js';
import { StatusError, isStatusError } from './status-error.js';

describe('StatusError', () => {
  it('carries code, name of the code, message and cause', () => {
    const cause = new Error('the row was locked');
    const error = new StatusError(Code.ABORTED, 'try again', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'StatusError', code: 10, status: 'ABORTED', cause });
    expect(String(error)).toBe('StatusError: try again');
  });

  it('has neither cause, details nor trailers unless they are given', () => {
    const error = new StatusError(Code.NOT_FOUND, 'gone');
    expect('cause' in error).toBe(false);
    expect(error.details).toEqual([]);
    expect(error.trailers).toEqual({});
  });

  it('keeps details and trailers', () => {
    const details = [{ typeUrl: 'type.googleapis.com/x.Y', value: new Uint8Array([1]) }];
    const trailers = { 'retry-after': '3' };
    const error = new StatusError(Code.UNAVAILABLE, 'soon', { details, trailers });
    expect(error).toMatchObject({ details, trailers });
  });

  it.each([Code.OK, -1, 17, 2.5, Number.NaN, '7', undefined])(
    'is UNKNOWN rather than %p, which could let a call in',
    (code) => {
      expect(new StatusError(code as Code, 'x').code).toBe(Code.UNKNOWN);
    },
  );
});

describe('isStatusError', () => {
  it('recognises one, also of a subclass', () => {
    class Special extends StatusError {}
    expect(isStatusError(new StatusError(Code.INTERNAL, 'x'))).toBe(true);
    expect(isStatusError(new Special(Code.INTERNAL, 'x'))).toBe(true);
  });

  it('recognises one of another installed copy', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('apix.StatusError')]: true });
    expect(isStatusError(foreign)).toBe(true);
  });

  it.each([new Error('x'), { code: 7, message: 'x' }, null, undefined, 'x', 7])(
    'is not fooled by %p',
    (value) => {
      expect(isStatusError(value)).toBe(false);
    },
  );
});
