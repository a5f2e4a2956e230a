import { describe, expect, it } from '@jest/globals';
import { headerValues } from './header-values.js';

describe('the values of a header', () => {
  it.each<[string, string, string | string[] | undefined, string[], string[]]>([
    ['are those that came, where Node joined them', 'x-a', 'a, b', ['a', 'b'], ['a', 'b']],
    ['are those that came, where Node kept one', 'authorization', 'a', ['a', 'b'], ['a', 'b']],
    ['are those that came, of cookies', 'cookie', 'a; b', ['a', 'b'], ['a', 'b']],
    ['are those that came, of a list', 'set-cookie', ['a', 'b'], ['a', 'b'], ['a', 'b']],
    ['are none where it was deleted', 'x-a', undefined, ['a'], []],
    ['are what was set instead', 'x-a', 'b', ['a'], ['b']],
    ['are what was set instead of one that Node keeps one of', 'host', 'b', ['a', 'a'], ['b']],
    ['are what was set as a list', 'x-a', ['b', 'c'], ['a'], ['b', 'c']],
    ['are what was added', 'x-a', 'b', [], ['b']],
    ['are the first where the others were cut off', 'x-a', 'a', ['a', 'b'], ['a']],
    ['are not split at commas', 'x-a', 'a, b', ['a, b'], ['a, b']],
  ])('%s', (_, name, now, received, expected) => {
    expect(headerValues(name, now, received)).toEqual(expected);
  });
});
