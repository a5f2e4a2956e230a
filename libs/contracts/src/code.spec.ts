import { describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { nearestName } from './nearest-name.js';
import { Code, codeName, isCode, codeOfHttpStatus, httpStatusOf } from './code.js';

const CODES = Object.entries(status).filter((entry) => typeof entry[1] === 'number');

describe('Code', () => {
  it.each(CODES)('has %s with the number that gRPC gives it', (name, number) => {
    expect(Code[name as keyof typeof Code]).toBe(number);
    expect(codeName(number as number)).toBe(name);
    expect(isCode(number)).toBe(true);
  });

  it('has no others', () => {
    expect(Object.values(Code).filter((value) => typeof value === 'number')).toHaveLength(17);
  });

  it.each([-1, 17, 1.5, Number.NaN, '7', 'OK', null, undefined, {}])('%p is no code', (value) => {
    expect(isCode(value)).toBe(false);
  });

  it.each([-1, 17, 1.5])('calls %p UNKNOWN', (number) => {
    expect(codeName(number)).toBe('UNKNOWN');
  });
});

describe('the name of a code as Go has it', () => {
  it.each([
    ['Canceled', 'CANCELLED'],
    ['InvalidArgument', 'INVALID_ARGUMENT'],
    ['DeadlineExceeded', 'DEADLINE_EXCEEDED'],
    ['NotFound', 'NOT_FOUND'],
    ['AlreadyExists', 'ALREADY_EXISTS'],
    ['PermissionDenied', 'PERMISSION_DENIED'],
    ['ResourceExhausted', 'RESOURCE_EXHAUSTED'],
    ['FailedPrecondition', 'FAILED_PRECONDITION'],
    ['OutOfRange', 'OUT_OF_RANGE'],
    ['DataLoss', 'DATA_LOSS'],
    ['Unauthenticated', 'UNAUTHENTICATED'],
  ])('%s is close enough to suggest %s if there is such an option', (name, canonical) => {
    const names = Object.keys(Code).filter((key) => !/^\d/.test(key));
    expect(nearestName(name, names)).toBe(canonical);
  });
});

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
