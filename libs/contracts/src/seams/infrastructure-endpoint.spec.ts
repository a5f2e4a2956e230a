import { expect, it } from '@jest/globals';
import { isInfrastructurePath, noteInfrastructurePath } from './infrastructure-endpoint.js';

const app = {};
noteInfrastructurePath(app, '/healthz');
noteInfrastructurePath(app, '/api/host/*');

it.each([
  ['/healthz', true],
  ['/healthz/', false],
  ['/healthz/more', false],
  ['/api/host', false],
  ['/api/host/stream', true],
  ['/api/host/traces/17', true],
  ['/api/hosts', false],
  ['/', false],
  ['', false],
  ['*', false],
])('GET %s is for the operator: %s', (path, expected) => {
  expect(isInfrastructurePath(app, path)).toBe(expected);
});

it('an app of which nothing was said has no such path', () => {
  expect(isInfrastructurePath({}, '/healthz')).toBe(false);
});
