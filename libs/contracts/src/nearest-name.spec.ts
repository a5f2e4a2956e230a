import { describe, expect, it } from '@jest/globals';
import { nearestName } from './nearest-name.js';

const NAMES = ['url', 'poolSize', 'password', 'a'];

describe('nearestName', () => {
  it.each([
    ['ulr', 'url'],
    ['urls', 'url'],
    ['uri', 'url'],
    ['poolsize', 'poolSize'],
    ['plSize', 'poolSize'],
    ['passwrod', 'password'],
    ['secret', undefined],
    ['xyz', undefined],
  ])('takes %p for %p', (misspelt, meant) => {
    expect(nearestName(misspelt, NAMES)).toBe(meant);
  });

  it('takes the nearest of several', () => {
    expect(nearestName('prot', ['post', 'port'])).toBe('port');
  });
});
