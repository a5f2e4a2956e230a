import { describe, expect, it } from '@jest/globals';
import { Code } from './code.js';
import { codeOfHttpStatus, httpStatusOf } from './http-status.js';

// The "HTTP Mapping" comments of google/rpc/code.proto.
const TABLE: readonly (readonly [keyof typeof Code, number])[] = [
  ['OK', 200],
  ['CANCELLED', 499],
  ['UNKNOWN', 500],
  ['INVALID_ARGUMENT', 400],
  ['DEADLINE_EXCEEDED', 504],
  ['NOT_FOUND', 404],
  ['ALREADY_EXISTS', 409],
  ['PERMISSION_DENIED', 403],
  ['UNAUTHENTICATED', 401],
  ['RESOURCE_EXHAUSTED', 429],
  ['FAILED_PRECONDITION', 400],
  ['ABORTED', 409],
  ['OUT_OF_RANGE', 400],
  ['UNIMPLEMENTED', 501],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DATA_LOSS', 500],
];

describe('httpStatusOf', () => {
  it.each(TABLE)('answers %s with %i', (name, http) => {
    expect(httpStatusOf(Code[name])).toBe(http);
  });
});

describe('codeOfHttpStatus', () => {
  it.each([
    [200, 'OK'],
    [204, 'OK'],
    [302, 'UNKNOWN'],
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [408, 'DEADLINE_EXCEEDED'],
    [409, 'ABORTED'],
    [412, 'FAILED_PRECONDITION'],
    [413, 'RESOURCE_EXHAUSTED'],
    [416, 'OUT_OF_RANGE'],
    [418, 'INVALID_ARGUMENT'],
    [422, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [499, 'CANCELLED'],
    [500, 'INTERNAL'],
    [501, 'UNIMPLEMENTED'],
    [502, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
    [599, 'INTERNAL'],
    [600, 'UNKNOWN'],
    [0, 'UNKNOWN'],
  ] as const)('takes %i for %s', (http, name) => {
    expect(codeOfHttpStatus(http)).toBe(Code[name]);
  });

  it('lets every failure that comes from a code stay a failure of the same status', () => {
    const there = TABLE.map(([, http]) => http);
    expect(there.map((http) => httpStatusOf(codeOfHttpStatus(http)))).toEqual(there);
  });
});
