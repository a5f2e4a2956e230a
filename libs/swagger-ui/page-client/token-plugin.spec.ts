import { describe, expect, it } from '@jest/globals';
import { withBareTokens } from './token-plugin.js';

describe('a token that is entered', () => {
  it.each([
    ['abc.def', 'abc.def'],
    ['Bearer abc.def', 'abc.def'],
    ['  bearer   abc.def\n', 'abc.def'],
    ['bearers', 'bearers'],
  ])('%j is sent as %j', (value, sent) => {
    expect(withBareTokens({ bearer: { value } })).toEqual({ bearer: { value: sent } });
  });

  it('leaves a name and a password as they are', () => {
    const basic = { value: { username: 'Bearer x', password: ' y ' } };
    expect(withBareTokens({ basic })).toEqual({ basic });
  });
});
