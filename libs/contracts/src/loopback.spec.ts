import { expect, it } from '@jest/globals';
import { isLoopback } from './loopback.js';

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['127.0.0.1.example.com', false],
  ['127.0.0', false],
  ['localhost.example.com', false],
  ['shop.localhost', false],
  ['10.0.0.1', false],
  ['::2', false],
  ['', false],
])('says of %j whether it is this machine: %s', (host, isOwn) => {
  expect(isLoopback(host)).toBe(isOwn);
});
