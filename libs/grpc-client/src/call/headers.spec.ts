import { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import type { HeadersInit } from './call-options.js';
import { putHeaders } from './headers.js';

function put(given: HeadersInit): Record<string, unknown> {
  const metadata = new Metadata();
  metadata.set('x-a', 'of the client');
  metadata.set('x-kept', 'kept');
  putHeaders(metadata, given);
  return metadata.toJSON();
}

function several(): Metadata {
  const metadata = new Metadata();
  metadata.add('x-a', 'one');
  metadata.add('x-a', 'two');
  return metadata;
}

describe('the headers of a call', () => {
  it.each<[string, HeadersInit, Record<string, unknown>]>([
    ['of one value', { 'x-a': 'one' }, { 'x-a': ['one'] }],
    ['in upper case', { 'X-A': 'one' }, { 'x-a': ['one'] }],
    ['of several values', { 'x-a': ['one', 'two'] }, { 'x-a': ['one', 'two'] }],
    ['of bytes', { 'x-bin': Buffer.of(1) }, { 'x-a': ['of the client'], 'x-bin': [Buffer.of(1)] }],
    ['without a value', { 'x-a': undefined }, { 'x-a': ['of the client'] }],
    ['in an empty list', { 'x-a': [] }, {}],
    ['of Metadata', several(), { 'x-a': ['one', 'two'] }],
  ])('take the place of what is there: %s', (_, given, expected) => {
    expect(put(given)).toEqual({ 'x-kept': ['kept'], ...expected });
  });

  it('are none of what their object inherits', () => {
    expect(put(Object.create({ 'x-b': 'inherited' }) as HeadersInit)).toEqual({
      'x-a': ['of the client'],
      'x-kept': ['kept'],
    });
  });

  it.each([{ 'not a key': 'x' }, { 'x-a': 'line\nbreak' }, { 'x-bin': 'text' }])(
    'that metadata cannot hold are refused: %j',
    (given) => {
      expect(() => put(given)).toThrow(/^(?:Metadata|keys that end with)/);
    },
  );
});
