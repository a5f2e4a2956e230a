import { describe, expect, it } from '@jest/globals';
import { keyRuleOf } from './keys.js';

/** Keys that no caller may set, however they are spelled. */
const RESERVED = [
  // The call's own.
  'grpc-timeout',
  'grpc_timeout',
  'x-apix-forwarded',
  'x_apix.forwarded-bin',
  // The message's and the connection's.
  'content-length',
  'content_length',
  'transfer.encoding',
  'host',
  'connection-bin',
  // Who calls.
  'x-user',
  'x_user.id',
  'cookie',
  // No keys at all.
  '',
  'a b',
  'ä',
];

describe('the keys that callers may set', () => {
  it.each(RESERVED)('have none such as "%s", whatever the option says', (key) => {
    expect(keyRuleOf(true, [])(key)).toBe('reserved');
    expect(keyRuleOf(false, [])(key)).toBe('reserved');
    expect(keyRuleOf(['tenant'], [])(key)).toBe('reserved');
    expect(() => keyRuleOf([key], [])).toThrow(/is (?:reserved|not a metadata key)/);
  });

  it('have none that is forwarded as a header of that name, however it is spelled', () => {
    const rule = keyRuleOf(true, ['x-tenant']);
    expect(['x-tenant', 'x_tenant', 'x-tenant-bin', 'x-other'].map(rule)).toEqual([
      'reserved',
      'reserved',
      'reserved',
      undefined,
    ]);
  });

  it('are the same the second time, and after more keys than are remembered', () => {
    const rule = keyRuleOf(['tenant'], []);
    const asked = ['tenant', 'x-user', 'other', 'tenant-'.repeat(20)];
    const verdicts = [undefined, 'reserved', 'not taken', 'not taken'];
    for (let round = 0; round < 3; round += 1) {
      expect(asked.map((key) => rule(key))).toEqual(verdicts);
      for (let i = 0; i < 300; i += 1) expect(rule(`made-up-${i}`)).toBe('not taken');
    }
  });

  it.each<[string, boolean | string[], string | undefined]>([
    ['all others by default', true, undefined],
    ['none if so wished', false, 'not taken'],
    ['those that are listed, in any case', ['Tenant', 'x-more'], undefined],
    ['not those that are not listed', ['x-more'], 'not taken'],
  ])('are %s', (_which, taken, expected) => {
    expect(keyRuleOf(taken, [])('tenant')).toBe(expected);
  });
});
