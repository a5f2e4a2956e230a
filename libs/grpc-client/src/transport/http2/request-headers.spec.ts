import { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { requestHeaders, timeoutText } from './request-headers.js';

function pairs(headers: readonly string[]): readonly (readonly string[])[] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!]] : []));
}

describe('grpc-timeout', () => {
  it.each([
    [-5, '0m'],
    [0.2, '1m'],
    [99_999_999, '99999999m'],
    [100_000_000, '100000S'],
    [1e12, '16666667M'],
    [1e20, '99999999H'],
  ])('of %d ms is %s', (ms, text) => {
    expect(timeoutText(ms)).toBe(text);
  });
});

describe('the headers of a call', () => {
  const about = { authority: 'a:1', userAgent: 'me', tls: undefined };

  it('have the metadata, as base64 and as lists where that is what it is', () => {
    const metadata = new Metadata();
    metadata.add('x-list', 'a');
    metadata.add('x-list', 'b');
    metadata.add('x-bin', Buffer.of(251, 255));
    const headers = requestHeaders('/a/B', metadata, Infinity, undefined, about);
    expect(pairs(headers)).toEqual([
      [':method', 'POST'],
      [':scheme', 'http'],
      [':authority', 'a:1'],
      [':path', '/a/B'],
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
      ['user-agent', 'me'],
      ['accept-encoding', 'identity'],
      ['grpc-accept-encoding', 'identity,deflate,gzip'],
      ['x-list', 'a'],
      ['x-list', 'b'],
      ['x-bin', '+/8='],
    ]);
  });

  it('are those of the transport, for any metadata', () => {
    const metadata = new Metadata();
    for (const key of ['te', 'content-type', 'user-agent', 'grpc-encoding', ':path']) {
      metadata.set(key, 'mine');
    }
    const headers = requestHeaders('/a/B', metadata, Infinity, undefined, about);
    expect(headers).not.toContain('mine');
  });

  it.each(['connection', 'transfer-encoding'])('cannot have %s', (key) => {
    const metadata = new Metadata();
    metadata.set(key, 'x');
    expect(() => requestHeaders('/a/B', metadata, Infinity, undefined, about)).toThrow(key);
  });
});
