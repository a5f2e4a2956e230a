import { describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { nearestName } from './nearest-name.js';
import { Code, codeName, isCode } from './code.js';

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
