import { Mistakes } from '@apix/contracts';
import { expect, it } from '@jest/globals';
import { HOSTX_MODULE_OPTIONS, hostxMistakes, portFromEnv } from './hostx-options.js';

const LISTENS = { table: HOSTX_MODULE_OPTIONS, listens: true };
const SILENT = { table: HOSTX_MODULE_OPTIONS, listens: false };

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
  const mistakes = hostxMistakes(wrong as never, LISTENS);
  expect(mistakes.map((mistake) => mistake.split(': ')[0])).toEqual([
    'shutdownTimeout',
    'startTimeout',
    'bootTimeout',
    'stopTimeout',
    'reloadTimeout',
    'http.timeouts.request',
    'http.port',
    'drain.delay',
    'linger',
    'background',
    'applicationContext',
    'uncaught',
  ]);
});

it('misspelt names are mistakes, with the right one, inside of options too', () => {
  const misspelt = {
    shutdownTimout: '1s',
    http: { prt: 3000, timeouts: { keepalive: '1s' } },
    drain: { dely: '1s' },
  };
  expect(hostxMistakes(misspelt as never, LISTENS)).toEqual([
    'http.timeouts.keepalive: is not known here; did you mean keepAlive?',
    'http.prt: is not known here; did you mean port?',
    'drain.dely: is not known here; did you mean delay?',
    'shutdownTimout: is not known here; did you mean shutdownTimeout?',
  ]);
});

it.each(['stop', 'report', 'ignore'] as const)('the option uncaught may be %j', (uncaught) => {
  expect(hostxMistakes({ uncaught }, SILENT)).toEqual([]);
});

it('options that are left out, or at the end of their range, are none', () => {
  expect(hostxMistakes({}, SILENT)).toEqual([]);
  const least = {
    shutdownTimeout: 1,
    bootTimeout: 1,
    startTimeout: 1,
    stopTimeout: 1,
    reloadTimeout: 1,
    http: { port: 0 },
    linger: 0,
  };
  expect(hostxMistakes(least, LISTENS)).toEqual([]);
  expect(hostxMistakes({ http: { port: 65_535 }, linger: false }, LISTENS)).toEqual([]);
});
