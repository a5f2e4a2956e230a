import { expect, it } from '@jest/globals';
import { mayOverlap } from './version-range.js';

it.each([
  ['^6.1.0', '^6.0.0', true],
  ['^5.9.0', '^6.0.0', false],
  ['^1.10.0', '^1.14.6', true],
  ['~1.10.0', '^1.14.6', false],
  ['~1.15.0', '^1.14.6', true],
  ['1.14.6', '^1.14.6', true],
  ['1.14.5', '^1.14.6', false],
  ['2.0.0', '^1.14.6', false],
  ['12.0.1-rc.1', '^12.0.1', true],
  ['5', '^6.0.0', false],
  ['^5', '^6.0.0', false],
  ['5.x', '^6.0.0', false],
  ['6', '^6.0.0', true],
  ['1.13', '^1.14.6', false],
  ['~1', '^1.14.6', true],
  ['1.15.x', '^1.14.6', true],
  ['5.9.0 || ^6.0.0', '^6.0.0', true],
  ['>=5', '^6.0.0', true],
  ['latest', '^6.0.0', true],
  ['workspace:*', '^6.0.0', true],
])('the range %s may overlap with %s: %s', (range, needed, may) => {
  expect(mayOverlap(range, needed)).toBe(may);
});
