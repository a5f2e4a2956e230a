import { expect, it } from '@jest/globals';
import { portFromEnv } from './nest-http.js';

it.each<[string | undefined, number]>([
  [undefined, 3000],
  ['', 3000],
  [' ', 3000],
  ['0', 0],
  ['8080', 8080],
  ['web', Number.NaN],
])('the variable PORT, where it is %j, gives port %d', (PORT, port) => {
  expect(portFromEnv({ PORT })).toBe(port);
});
