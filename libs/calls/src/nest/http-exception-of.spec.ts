import {
  ForbiddenException,
  HttpException,
  NotFoundException,
  UnauthorizedException,
} from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Code, StatusError } from '@apix/contracts';
import { httpExceptionOf, statusErrorIn } from './http-exception-of.js';

describe('the HttpException of a StatusError', () => {
  it.each([
    [Code.UNAUTHENTICATED, UnauthorizedException],
    [Code.PERMISSION_DENIED, ForbiddenException],
    [Code.NOT_FOUND, NotFoundException],
  ])('with code %s is one of the class that Nest has for it', (code, Exception) => {
    const error = new StatusError(code, 'no');
    const exception = httpExceptionOf(error);
    expect(exception).toBeInstanceOf(Exception);
    expect(exception.getResponse()).toEqual(new Exception('no').getResponse());
    expect(exception.cause).toBe(error);
    expect(statusErrorIn(exception)).toBe(error);
  });

  it.each([
    [Code.RESOURCE_EXHAUSTED, 429, 'Too Many Requests'],
    [Code.CANCELLED, 499, 'Client Closed Request'],
  ])('with code %s has the status %i, which has no class in Nest', (code, status, phrase) => {
    const exception = httpExceptionOf(new StatusError(code, 'no'));
    expect(exception.constructor).toBe(HttpException);
    expect([exception.getStatus(), exception.getResponse()]).toEqual([
      status,
      { message: 'no', error: phrase, statusCode: status },
    ]);
  });

  it('is not seen in any other exception', () => {
    const others = [new ForbiddenException(), new StatusError(Code.ABORTED, 'no'), undefined, 'no'];
    expect(others.map(statusErrorIn)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
