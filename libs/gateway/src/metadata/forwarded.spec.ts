import { describe, expect, it } from '@jest/globals';
import { callerChain } from './request-metadata.js';
import { trustRuleOf, type TrustProxy } from './trust-proxy.js';

describe('callerChain', () => {
  it.each<[string, TrustProxy, string | undefined, string, string[]]>([
    ['believes no one by default', false, '1.1.1.1', '9.9.9.9', ['9.9.9.9']],
    ['has only the peer where nothing is claimed', 1, undefined, '9.9.9.9', ['9.9.9.9']],
    ['believes one proxy', 1, '6.6.6.6, 1.1.1.1', '10.0.0.1', ['1.1.1.1', '10.0.0.1']],
    [
      'believes two proxies',
      2,
      '6.6.6.6, 1.1.1.1, 10.0.0.2',
      '10.0.0.1',
      ['1.1.1.1', '10.0.0.2', '10.0.0.1'],
    ],
    [
      'believes proxies by network, up to the first other address',
      ['10.0.0.0/8', '::1'],
      '6.6.6.6, 1.1.1.1, 10.2.3.4',
      '::1',
      ['1.1.1.1', '10.2.3.4', '::1'],
    ],
    ['does not believe an unknown peer', ['10.0.0.0/8'], '1.1.1.1', '9.9.9.9', ['9.9.9.9']],
    ['reads IPv4 in IPv6', ['10.0.0.0/8'], '1.1.1.1', '::ffff:10.0.0.1', ['1.1.1.1', '10.0.0.1']],
    [
      'drops what is no address',
      5,
      'unknown, <script>, 1.1.1.1',
      '9.9.9.9',
      ['1.1.1.1', '9.9.9.9'],
    ],
    [
      'takes no address from left of what is no address',
      1,
      '6.6.6.6, unknown',
      '10.0.0.1',
      ['10.0.0.1'],
    ],
    [
      'takes no address from left of an empty one',
      ['10.0.0.0/8'],
      '6.6.6.6, , 10.2.3.4',
      '10.0.0.1',
      ['10.2.3.4', '10.0.0.1'],
    ],
    [
      'reads an address with a port',
      2,
      '6.6.6.6, 1.1.1.1:51234, 10.0.0.2:1',
      '10.0.0.1',
      ['1.1.1.1', '10.0.0.2', '10.0.0.1'],
    ],
    [
      'reads IPv6 in brackets',
      2,
      '6.6.6.6, [2001:db8::1]:51234, [2001:db8::2]',
      '10.0.0.1',
      ['2001:db8::1', '2001:db8::2', '10.0.0.1'],
    ],
  ])('%s', (_what, trust, claimed, remote, chain) => {
    expect(callerChain(claimed, remote, trustRuleOf(trust))).toEqual(chain);
  });

  it.each<[TrustProxy]>([
    [-1],
    ['10.0.0.0/8' as never],
    [true as never],
    [[1 as never]],
    [1.5],
    [['10.0.0.0/33']],
    [['localhost']],
    [['::1/129']],
    // An empty prefix, as of a variable that is not set, must not be taken for 0: everybody.
    [['10.0.0.0/']],
    [['10.0.0.0/ 8']],
    [['10.0.0.0/0x8']],
    [['10.0.0.0/8/9']],
    [['10.0.0.0/-0']],
    [['']],
  ])('refuses the rule %p', (trust) => {
    expect(() => trustRuleOf(trust)).toThrow(
      /^(?:must be false, a number|.* is not an address or network)/,
    );
  });
});
