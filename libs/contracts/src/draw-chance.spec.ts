import { expect, it } from '@jest/globals';
import { drawChance } from './draw-chance.js';
import { unreadableValues } from './testing/unreadable-values.js';

it.each([0, 0.5, 1])('drawChance returns %d as it was drawn', (drawn) => {
  expect(drawChance(() => drawn)).toBe(drawn);
});

it.each([-0.1, 1.1, Number.NaN, Infinity])('drawChance refuses %d', (drawn) => {
  expect(() => drawChance(() => drawn)).toThrow(
    new RangeError(`must return a number from 0 to 1, not ${drawn}`),
  );
});

it.each(unreadableValues())('drawChance refuses %s', (_, drawn) => {
  expect(() => drawChance(() => drawn as number)).toThrow();
});
