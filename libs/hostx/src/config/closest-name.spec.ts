import { describe, expect, it } from '@jest/globals';
import { closestName } from './closest-name.js';

const NAMES = ['url', 'poolSize', 'password', 'a'];

describe('closestName', () => {
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
    expect(closestName(misspelt, NAMES)).toBe(meant);
  });

  it('takes the nearest of several', () => {
    expect(closestName('prot', ['post', 'port'])).toBe('port');
  });
});
