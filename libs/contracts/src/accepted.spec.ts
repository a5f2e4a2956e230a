import { describe, expect, it } from '@jest/globals';
import { codingQuality, refusesType, typePreference } from './accepted.js';

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
