import { describe, expect, it } from '@jest/globals';
import { patternSample } from './pattern-sample.js';

describe('patternSample', () => {
  it.each([
    ['^products/[a-z0-9-]+$', 'products/abc'],
    ['^(orders/[a-z0-9-]+)?$', 'orders/abc'],
    ['^[A-Z]{2}[0-9]{4}$', 'AB0123'],
    ['^([A-Za-z0-9_-]{8,64})?$', 'abcdefgh'],
    ['^(?:yes|no)$', 'yes'],
    ['^(?P<year>\\d{4})-\\d\\d$', '0123-00'],
    ['^a.c\\.txt$', 'aac.txt'],
    ['^[^a-z0-9]$', 'A'],
    ['^\\p{Lu}\\p{Ll}*$', 'Aabc'],
    ['^\\x41\\u0042\\t$', 'AB\t'],
    ['^[]a]$', undefined],
    ['^x{2,}y{0,1}z+?$', 'xxxyzzz'],
    ['', ''],
  ])('finds for %p the text %p', (pattern, text) => {
    expect(patternSample(pattern)).toBe(text);
  });

  it.each(['(?=a)b', '(a', 'a)', '[a', 'a{2', '\\', '^a$b', '(a)\\1', '\\q'])(
    'finds nothing, or something that matches, for %p',
    (pattern) => {
      const text = patternSample(pattern);
      expect(text === undefined || new RegExp(pattern).test(text)).toBe(true);
    },
  );

  it('is as long as asked for', () => {
    expect(patternSample('^[a-z]+$', 8)).toBe('abcdefgh');
  });
});
