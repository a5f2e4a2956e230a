import { types } from 'node:util';
import { Code, StatusError, isStatusError } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import { EVERY_POLICY, policySet } from '../policy-set.fixture.js';
import type { Subject } from '../subject/subject.js';
import { Authorizer } from './authorizer.js';

const NOBODY: Subject = { roles: [], permissions: [] };
const registry = ProtoRegistry.load(policySet(EVERY_POLICY));
const authorizer = new Authorizer(registry, { subject: () => null, unannotated: 'deny' });

/** What is refused, by its reason. */
const REFUSED: readonly [string, string, Subject | null][] = [
  ['anonymous', '/test.Orders/Own', null],
  ['roles', '/test.Orders/Own', NOBODY],
  ['permissions', '/test.Orders/Compound', { ...NOBODY, roles: ['admin'] }],
  ['unannotated', '/test.Bare/Nothing', NOBODY],
  ['unknown_method', '/no.Such/Method', NOBODY],
];

function refused(method: string, subject: Subject | null, of = authorizer): StatusError {
  const error = of.authorize(undefined, method, subject);
  if (error === null) throw new Error(`${method} was allowed`);
  return error;
}

describe.each(REFUSED)(
  'the error of a call that is refused for "%s"',
  (reason, method, subject) => {
    it('has that reason', () => {
      expect(authorizer.explain(method, subject).reason).toBe(reason);
    });

    it('takes what a filter, a serializer or an interceptor writes to it', () => {
      const error = refused(method, subject);
      const cause = new Error('cause');
      const written = { message: 'm', name: 'n', stack: 's', code: 5, cause, requestId: 'id' };
      expect(Object.assign(error, written)).toMatchObject(written);
      expect(Object.keys(error)).not.toContain('stack');
      Object.defineProperty(error, Symbol.for('seen'), { value: true });
      expect(Object.isExtensible(error)).toBe(true);
    });

    it('shows no other call what was written to it, not even at the same time', () => {
      const before = refused(method, subject);
      const text = JSON.stringify(before) + before.stack;
      const written = refused(method, subject);
      const underWay = refused(method, subject);
      Object.assign(written, { message: 'm', name: 'n', stack: 's', code: 5, requestId: 'id' });
      Error.captureStackTrace(written);
      for (const other of [underWay, before, refused(method, subject)]) {
        expect(other).not.toBe(written);
        expect(JSON.stringify(other) + other.stack).toBe(text);
      }
    });

    it('cannot be changed for others by its class, details or trailers', () => {
      const { details, trailers } = refused(method, subject);
      expect([details, trailers].every(Object.isFrozen)).toBe(true);
      const prototype: object = Object.getPrototypeOf(refused(method, subject));
      expect(Object.isFrozen(prototype)).toBe(true);
    });
  },
);

describe('the error of a refused call', () => {
  const error = refused('/test.Orders/Own', NOBODY);
  const made = new StatusError(Code.PERMISSION_DENIED, 'permission denied');

  it('is recognized as a StatusError', () => {
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toBeInstanceOf(Error);
    expect(isStatusError(error)).toBe(true);
    expect(error.constructor).toBe(StatusError);
    expect(Object.prototype.toString.call(error)).toBe('[object Error]');
    expect(`${error}`).toBe(`${made}`);
    const { name, code, status, message, details, trailers } = made;
    expect(error).toMatchObject({ name, code, status, message, details, trailers });
    expect('cause' in error).toBe(false);
  });

  it('has a stack of one line, since its frames would be ours alone', () => {
    expect(error.stack).toBe('StatusError: permission denied');
  });

  it('costs no Error, whose making takes longer than the decision', () => {
    expect(types.isNativeError(error)).toBe(false);
  });

  it('is all that a log of the app makes of one', () => {
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      message: 'permission denied',
      ...JSON.parse(JSON.stringify(made)),
    });
  });
});
