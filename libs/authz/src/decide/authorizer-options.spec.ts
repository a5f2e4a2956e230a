import { Mistakes } from '@apix/contracts';
import { readOptions } from '@apix/contracts/internal';
import { describe, expect, it } from '@jest/globals';
import { Authorizer } from './authorizer.js';
import { AUTHORIZER_OPTIONS, type AuthorizerOptions } from './authorizer-options.js';

const subject = (): null => null;

function mistakesOf(options: object): readonly string[] {
  const mistakes = new Mistakes();
  readOptions(AUTHORIZER_OPTIONS, options, '', mistakes);
  return mistakes.found;
}

const WRONG: readonly (readonly [option: string, value: unknown, mistake: string])[] = [
  ['subject', 'me', 'must be a function that returns the caller\'s subject, not "me"'],
  [
    'subjectTimeout',
    'soon',
    '"soon" is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"',
  ],
  ['unannotated', 'no', 'must be one of "allow", "deny", not "no"'],
  ['exempt', '/test.S/*', 'must be an array of strings, not "/test.S/*"'],
  ['mode', 'off', 'must be one of "enforce", "shadow", not "off"'],
  ['onDecision', {}, 'must be a function, not an object'],
  ['exposeReasons', 'yes', 'must be true or false, not "yes"'],
  ['clock', null, 'must be a clock, not null'],
];

describe('the options of an authorizer', () => {
  it('have the defaults of the spec', () => {
    expect(readOptions(AUTHORIZER_OPTIONS, { subject }, '', new Mistakes())).toMatchObject({
      subjectTimeout: 5_000,
      unannotated: 'allow',
      exempt: [],
      mode: 'enforce',
      exposeReasons: false,
    });
  });

  it.each(WRONG)('are refused with a wrong %s', (option, value, mistake) => {
    expect(mistakesOf({ subject, [option]: value })).toEqual([`${option}: ${mistake}`]);
  });

  it('are refused with a subjectTimeout of 0, which no subject function could keep', () => {
    expect(mistakesOf({ subject, subjectTimeout: 0 })).toEqual([
      'subjectTimeout: must be greater than 0, not 0',
    ]);
  });

  it.each([
    ['unanotated', 'unannotated'],
    ['mod', 'mode'],
    ['exempted', 'exempt'],
    ['onDecisions', 'onDecision'],
    ['exposeReason', 'exposeReasons'],
  ])('are refused with the misspelt name %s', (misspelt, meant) => {
    expect(mistakesOf({ subject, [misspelt]: 'deny' })).toEqual([
      `${misspelt}: is not known here; did you mean ${meant}?`,
    ]);
  });

  it('are refused with all their mistakes at once', () => {
    const options = Object.fromEntries(WRONG.map(([option, value]) => [option, value]));
    const mistakes = WRONG.map(([option, , mistake]) => `${option}: ${mistake}`);
    expect(mistakesOf(options).toSorted()).toEqual(mistakes.toSorted());
    expect(() => new Authorizer(undefined, options as unknown as AuthorizerOptions)).toThrow(
      /^authz: 8 mistakes:\n/,
    );
  });
});
