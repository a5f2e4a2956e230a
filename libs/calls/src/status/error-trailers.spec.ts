import { Metadata } from '@grpc/grpc-js';
import { expect, it } from '@jest/globals';
import { Code, StatusError, type StatusErrorOptions } from '@apix/contracts';
import { writeTrailers } from './error-trailers.js';

const GOOD = { 'x-why': 'policy' };

it.each<[string, StatusErrorOptions]>([
  ['an illegal key', { trailers: { 'bad key': 'x', ...GOOD } }],
  ['a line break in a value', { trailers: { 'x-text': 'a\nb', ...GOOD } }],
  ['a value beyond Latin-1', { trailers: { 'x-text': '€', ...GOOD } }],
  ['text under a binary key', { trailers: { 'x-bin': 'text', ...GOOD } }],
  ['a detail without a value', { details: [{ typeUrl: 'x' } as never], trailers: GOOD }],
])('what gRPC cannot carry is left out, and the rest is written: %s', (_, options) => {
  const metadata = new Metadata();
  writeTrailers(new StatusError(Code.ABORTED, 'no', options), metadata);
  expect(metadata.getMap()).toEqual(GOOD);
});

it('an error of another copy may lack trailers and details', () => {
  const metadata = new Metadata();
  writeTrailers({ code: Code.ABORTED, message: 'no' } as StatusError, metadata);
  expect(metadata.getMap()).toEqual({});
});
