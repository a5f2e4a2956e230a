import { OptionsError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { certificateSubject } from './certificate-subject.js';
import { firstSubject } from './first-subject.js';
import type { SubjectFunc } from './subject.js';

describe('certificateSubject', () => {
  it.each<[string, unknown, string]>([
    ['rolesAttribute', '', 'must be a non-empty string, not ""'],
    ['idAttribute', ['CN'], 'must be a non-empty string, not an array'],
    ['role', { ada: ['admin'] }, 'is not known here; did you mean roles?'],
  ])('refuses a wrong option %s: %p', (name, value, mistake) => {
    expect(() => certificateSubject({ [name]: value })).toThrow(
      new OptionsError('authz: certificateSubject', [`${name}: ${mistake}`]),
    );
  });

  it('reports all mistakes of its options together', () => {
    expect(() => certificateSubject({ rolesAttribute: '', idAttribute: '' })).toThrow(
      /^authz: certificateSubject: 2 mistakes:\n {2}rolesAttribute: .*\n {2}idAttribute: /,
    );
  });
});

describe('firstSubject', () => {
  const none: SubjectFunc = () => null;

  it('refuses to have no sources, with which every caller would be anonymous', () => {
    expect(() => firstSubject()).toThrow(
      new OptionsError('authz: firstSubject', [
        "sources: must be at least one function that returns the caller's subject",
      ]),
    );
  });

  it('names each source that is not a function', () => {
    const wrong = [none, undefined, { subject: none }] as unknown as SubjectFunc[];
    expect(() => firstSubject(...wrong)).toThrow(
      /^authz: firstSubject: 2 mistakes:\n {2}sources\[1\]: must be a function that returns the caller's subject, not undefined\n {2}sources\[2\]: must be a function that/,
    );
  });
});
