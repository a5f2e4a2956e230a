import { Mistakes } from '@apix/contracts';
import { expect, it } from '@jest/globals';
import { hostxMistakes, portFromEnv } from './hostx-options.js';

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

it('the mistakes of all options are found at once, each under its name', () => {
  const wrong = {
    shutdownTimeout: 0,
    bootTimeout: 'soon',
    startTimeout: -1,
    stopTimeout: Number.NaN,
    reloadTimeout: null,
    http: { port: 65_536, timeouts: { request: 'soon' } },
    drain: { delay: 'soon' },
    applicationContext: 'yes',
    uncaught: 'crash',
    background: 1,
    linger: 'soon',
  };
  const mistakes = hostxMistakes(wrong as never, { listens: true });
  expect(mistakes.map((mistake) => mistake.split(': ')[0])).toEqual([
    'shutdownTimeout',
    'bootTimeout',
    'startTimeout',
    'stopTimeout',
    'reloadTimeout',
    'http.port',
    'http.timeouts.request',
    'drain.delay',
    'applicationContext',
    'uncaught',
    'background',
    'linger',
  ]);
});

it.each(['stop', 'report', 'ignore'] as const)('the option uncaught may be %j', (uncaught) => {
  expect(hostxMistakes({ uncaught }, { listens: false })).toEqual([]);
});

it('options that are left out, or at the end of their range, are none', () => {
  expect(hostxMistakes({}, { listens: false })).toEqual([]);
  const least = {
    shutdownTimeout: 1,
    bootTimeout: 1,
    startTimeout: 1,
    stopTimeout: 1,
    reloadTimeout: 1,
    http: { port: 0 },
    linger: 0,
  };
  expect(hostxMistakes(least, { listens: true })).toEqual([]);
  expect(hostxMistakes({ http: { port: 65_535 }, linger: false }, { listens: true })).toEqual([]);
});
