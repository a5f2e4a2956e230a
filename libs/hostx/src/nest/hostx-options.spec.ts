import { Mistakes } from '@apix/contracts';
import { expect, it } from '@jest/globals';
import { portFromEnv } from './hostx-options.js';

it.each<[string | undefined, number]>([
  [undefined, 3000],
  ['', 3000],
  [' ', 3000],
  ['0', 0],
  ['8080', 8080],
])('the variable PORT, where it is %j, gives port %d', (PORT, port) => {
  const mistakes = new Mistakes();
  expect(portFromEnv(mistakes, { PORT })).toBe(port);
  expect(mistakes.found).toEqual([]);
});

it.each(['web', '-1', '65536', '80.5', 'NaN'])(
  'the variable PORT, where it is "%s", is named in the mistake',
  (PORT) => {
    const mistakes = new Mistakes();
    expect(portFromEnv(mistakes, { PORT })).toBeNaN();
    expect(mistakes.found).toEqual([
      `the variable PORT: must be an integer from 0 to 65535, not "${PORT}"`,
    ]);
  },
);
