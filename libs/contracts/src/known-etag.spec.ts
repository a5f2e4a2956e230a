import { describe, expect, it } from '@jest/globals';
import { isKnownEtag } from './known-etag.js';

describe('isKnownEtag', () => {
  it.each<[string, string]>([
    ['"a"', '"a"'],
    ['"b", "a"', '"a"'],
    ['"b","a"', '"a"'],
    ['*', '"a"'],
    ['W/"a"', '"a"'],
    ['"a"', 'W/"a"'],
    ['"b", W/"a,b"', '"a,b"'],
    ['"a,b", "c"', 'W/"a,b"'],
    ['", "', '", "'],
    [String.raw`"a\", "b"`, '"b"'],
    ['""', '""'],
    ['a', 'a'],
  ])('finds in %s the ETag %s', (known, etag) => {
    expect(isKnownEtag(known, etag)).toBe(true);
  });

  it.each<[string | undefined, string]>([
    [undefined, '"a"'],
    ['', '"a"'],
    ['"b"', '"a"'],
    ['"a,b"', '"a"'],
    ['"a"', '"a,b"'],
    ['"a, "b"', '"a"'],
    ['"*"', '"a"'],
    ['"A"', '"a"'],
    ['w/"a"', '"a"'],
    ['a', '"a"'],
  ])('does not find in %s the ETag %s', (known, etag) => {
    expect(isKnownEtag(known, etag)).toBe(false);
  });
});
