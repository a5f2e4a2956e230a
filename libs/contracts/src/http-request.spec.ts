import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { authorityOf, readTarget, targetOf, acceptedRequestId } from './http-request.js';

describe('a request target', () => {
  it.each([
    ['/orders/1', undefined, '/orders/1', ''],
    ['/a?b?c', undefined, '/a', 'b?c'],
    ['?b', undefined, '/', 'b'],
    ['//host/a', undefined, '//host/a', ''],
    ['http://shop.test/orders?x=1', 'shop.test', '/orders', 'x=1'],
    ['HTTPS://shop.test:8443/%2f', 'shop.test:8443', '/%2f', ''],
    ['http://shop.test', 'shop.test', '/', ''],
    ['http://shop.test?x=1', 'shop.test', '/', 'x=1'],
    ['http://user:pass@shop.test/a', 'shop.test', '/a', ''],
    ['http://[::1]:80/a', '[::1]:80', '/a', ''],
    ['http:///a', '', '/a', ''],
    ['/http://shop.test/a', undefined, '/http://shop.test/a', ''],
    ['/a?next=http://shop.test/b', undefined, '/a', 'next=http://shop.test/b'],
    ['/a#secret?b', undefined, '/a', ''],
    ['/a?b=1#secret', undefined, '/a', 'b=1'],
    ['http://shop.test#secret', 'shop.test', '/', ''],
    ['#secret', undefined, '/', ''],
    ['*', undefined, '*', ''],
    ['ftp://shop.test/a', undefined, 'ftp://shop.test/a', ''],
    ['javascript://shop.test/a', undefined, 'javascript://shop.test/a', ''],
    ['http://shop.test;x/a?b', undefined, 'http://shop.test;x/a', 'b'],
    ['http://shop.test\\x/a', undefined, 'http://shop.test\\x/a', ''],
    ['http://shop%2etest/a', undefined, 'http://shop%2etest/a', ''],
    ['shop.test:443', undefined, 'shop.test:443', ''],
  ])('%s has the authority %s, the path %s and the query %s', (target, authority, path, query) => {
    expect(readTarget(target)).toEqual({ authority, path, query });
  });

  it('is the one that a request came with, whatever a router made of it', () => {
    expect(targetOf({ url: '/b', originalUrl: '/a/b' }).path).toBe('/a/b');
    expect(targetOf({ url: '/b' }).path).toBe('/b');
    expect(targetOf({}).path).toBe('/');
  });
});

describe('the authority of a request', () => {
  it.each([
    [{ url: 'http://a.test/', headers: { host: 'b.test' } }, 'a.test'],
    [{ url: '/', headers: { host: 'b.test' } }, 'b.test'],
    [{ url: '/', headers: { ':authority': 'c.test' } }, 'c.test'],
    [{ url: '/', headers: {} }, ''],
  ])('of %j is %s', (request, authority) => {
    expect(authorityOf(request)).toBe(authority);
  });
});

describe('an id that comes in', () => {
  it.each([
    ['letters', 'abc-123', true],
    ['every visible character', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', true],
    ['128 characters', 'x'.repeat(128), true],
    ['129 characters', 'x'.repeat(129), false],
    ['nothing', '', false],
    ['a blank, as several headers are joined', 'a, b', false],
    ['a line break', 'a\nlevel=error', false],
    ['an escape sequence', '\u001b[31m', false],
    ['other letters', 'ü', false],
    ['a list', ['a', 'b'], false],
    ['undefined', undefined, false],
  ])('of %s is taken or replaced', (_what, value, isTaken) => {
    expect(acceptedRequestId(value)).toBe(isTaken ? value : undefined);
  });

  it('is taken exactly when it is 1 to 128 characters from ! to ~', () => {
    const isVisible = (unit: string): boolean => unit >= '!' && unit <= '~';
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 140 }),
          fc.string({ unit: 'grapheme-ascii', maxLength: 140 }),
        ),
        (id) => {
          const isSound = id.length > 0 && id.length <= 128 && id.split('').every(isVisible);
          expect(acceptedRequestId(id)).toBe(isSound ? id : undefined);
        },
      ),
    );
  });
});
