import { describe, expect, it } from '@jest/globals';
import {
  headerList,
  codingQuality,
  refusesType,
  typePreference,
  isKnownEtag,
  headerValues,
} from './request-headers.js';

describe('headerList', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    [' , ,', []],
    ['a', ['a']],
    ['a, b\t,c', ['a', 'b', 'c']],
    ['a;x="1,2", b', ['a;x="1,2"', 'b']],
    [String.raw`a;x="\",", b`, [String.raw`a;x="\","`, 'b']],
    [String.raw`a;x="\\", b`, [String.raw`a;x="\\"`, 'b']],
    ['a, "b, c', ['a', '"b, c']],
    ['"', ['"']],
    [String.raw`"\ `, [String.raw`"\ `.trim()]],
  ])('splits %j outside of quotes', (text, elements) => {
    expect(headerList(text)).toEqual(elements);
  });

  it('splits parameters at semicolons', () => {
    const form = { separator: ';', escapes: true } as const;
    expect(headerList('a/b; x="1;2" ;q=0', form)).toEqual(['a/b', 'x="1;2"', 'q=0']);
  });

  it('takes a backslash for a character where nothing is escaped', () => {
    const form = { separator: ',', escapes: false } as const;
    expect(headerList(String.raw`"a\", "b"`, form)).toEqual([String.raw`"a\"`, '"b"']);
  });
});

describe('typePreference', () => {
  it.each<[string | undefined, number | undefined, boolean?]>([
    [undefined, undefined],
    ['', undefined],
    ['text/plain', undefined],
    ['text/html', 1, true],
    ['TEXT/HTML;Q=0.5', 0.5, true],
    ['text/html ; q = 0.25', 0.25, true],
    ['text/html;q=0', 0, true],
    ['text/html;q=0.000', 0, true],
    ['text/*', 1, false],
    ['*/*;q=0.1, text/*;q=0.2', 0.2, false],
    ['text/*;q=0, text/html', 1, true],
    ['*/*, text/html;q=0', 0, true],
    ['*; q=.2', 0.2, false],
    ['text/html;level="1,2";q=0.3, text/plain', 0.3, true],
    [String.raw`text/html;x="\";q=0"`, 1, true],
    ['text/html;level=1;q=0, text/html;q=0.5', 0.5, true],
    ['text/html;level=1;q=0', undefined],
    ['text/html;q=x', undefined],
    ['text/html;q=', undefined],
    ['text/html;q=.', undefined],
    ['text/html;q=-1', undefined],
    ['text/html;q=1.5', undefined],
    ['text/html;q=1e999', undefined],
    ['text/html;q="0"', undefined],
  ])('of %j for text/html is %p', (accept, quality, isNamed = false) => {
    const expected = quality === undefined ? undefined : { quality, isNamed };
    expect(typePreference(accept, 'text/html')).toEqual(expected);
    expect(typePreference(accept, 'text/html; charset=utf-8')).toEqual(expected);
    expect(refusesType(accept, 'text/html; charset=utf-8')).toBe(quality === 0);
  });
});

describe('codingQuality', () => {
  it.each<[string | undefined, number]>([
    [undefined, 0],
    ['', 0],
    ['br', 0],
    ['gzip', 1],
    ['GZIP;q=0.5, br', 0.5],
    ['gzip;q=0', 0],
    ['gzip;q=0.0', 0],
    ['gzip;q=0, *', 0],
    ['*;q=0.3', 0.3],
    ['*;q=0, gzip', 1],
    ['x-gzip', 0],
    ['gzip;q=x', 0],
  ])('of %j for gzip is %p', (header, quality) => {
    expect(codingQuality(header, 'gzip')).toBe(quality);
  });
});

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
