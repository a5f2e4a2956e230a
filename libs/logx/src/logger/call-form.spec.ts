import vm from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setDefaultLogger } from '../context/default-logger.js';
import * as functions from '../context/log-functions.js';
import { runWithLogger } from '../context/logger-context.js';
import { ContextLogger } from '../nest/context-logger.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { createLogger } from './create-logger.js';
import type { Logger, LogMethod } from './logger.js';

const declined = new Error('card declined');
const thrown = { message: 'odd', code: 7 };
class Order {
  constructor(readonly id: string) {}
}

/** A call, and what its event has beside time and level; fields that it must not have are undefined. */
type Row = readonly [says: string, args: readonly unknown[], event: Record<string, unknown>];

const TEMPLATES: readonly Row[] = [
  ['a text', ['Started'], { '@mt': 'Started', message: 'Started' }],
  ['a template and its value', ['Order {Id}', 17], { '@mt': 'Order {Id}', Id: 17 }],
  ['an error alone', [declined], { message: 'card declined', error: 'card declined' }],
  ['an error and a text', [declined, 'Failed'], { '@mt': 'Failed', error: 'card declined' }],
  [
    'an error, a template and its value',
    [declined, 'Order {Id}', 'o-17'],
    { '@mt': 'Order {Id}', Id: 'o-17', error: 'card declined' },
  ],
  ['no error and a text', [null, 'Failed'], { '@mt': 'Failed', error: undefined }],
  [
    'no error, a template and its value',
    [undefined, 'Order {Id}', 17],
    { '@mt': 'Order {Id}', Id: 17, error: undefined },
  ],
  ['fields alone', [{ a: 1, b: 'x' }], { '@mt': '', message: '', a: 1, b: 'x' }],
  ['fields and a text', [{ a: 1 }, 'Failed'], { '@mt': 'Failed', a: 1, error: undefined }],
  ['no fields and a text', [{}, 'Failed'], { '@mt': 'Failed', error: undefined }],
  [
    'fields, a template and its value',
    [{ a: 1, Id: 2 }, 'Order {Id}', 17],
    { '@mt': 'Order {Id}', a: 1, Id: 17 },
  ],
  [
    "pino's error among fields, and a text",
    [{ err: declined, order: 'o-17' }, 'refund failed'],
    { '@mt': 'refund failed', order: 'o-17', error: 'card declined', err: undefined },
  ],
  ["pino's error alone", [{ err: declined }], { message: 'card declined', error: 'card declined' }],
  [
    'an error that was read from JSON under err',
    [{ err: { message: 'odd' } }, 'Failed'],
    { '@mt': 'Failed', error: 'odd', err: undefined },
  ],
  ['an err that is a text', [{ err: 'text' }, 'Failed'], { err: 'text', error: undefined }],
  [
    'an error under error, and a text',
    [{ error: declined, a: 1 }, 'Failed'],
    { '@mt': 'Failed', a: 1, error: 'card declined', error_: undefined },
  ],
  ['an error that is a text', [{ error: 'x' }, 'Failed'], { error_: 'x', error: undefined }],
  [
    'an object of a class, and a text',
    [new Order('o-17'), 'Failed'],
    { id: 'o-17', error: undefined },
  ],
  ['an object without a prototype', [Object.assign(Object.create(null), { a: 1 })], { a: 1 }],
  [
    'an error of another realm under err',
    [{ err: vm.runInNewContext('new Error("far")') as unknown }, 'Failed'],
    { error: 'far' },
  ],
  [
    'a template, its value that is a text, and an error',
    ['Order {Id} failed', 'o-17', declined],
    {
      '@mt': 'Order {Id} failed',
      message: 'Order o-17 failed',
      Id: 'o-17',
      error: 'card declined',
      extra_0: undefined,
    },
  ],
  [
    'a text and an error',
    ['Late', declined],
    { '@mt': 'Late', message: 'Late', error: 'card declined', extra_0: undefined },
  ],
  [
    'a template whose last hole takes the error',
    ['Order {Id} failed: {Reason}', 17, declined],
    { Id: 17, Reason: expect.objectContaining({ message: 'card declined' }), error: undefined },
  ],
  [
    'a template, its values and no error after them',
    ['Order {Id} failed', 'o-17', undefined],
    { message: 'Order o-17 failed', error: undefined, extra_0: undefined },
  ],
  [
    'a template, its value and fields',
    ['Order {Id} failed', 'o-17', { tenant: 'acme', Id: 'other' }],
    { message: 'Order o-17 failed', Id: 'o-17', tenant: 'acme', extra_0: undefined },
  ],
  [
    'a template, its value, an error and fields',
    ['Order {Id} failed', 'o-17', declined, { tenant: 'acme' }],
    { message: 'Order o-17 failed', error: 'card declined', tenant: 'acme', extra_0: undefined },
  ],
  [
    'a template, its value, fields and an error',
    ['Order {Id} failed', 'o-17', { tenant: 'acme' }, declined],
    { message: 'Order o-17 failed', error: 'card declined', tenant: 'acme', extra_0: undefined },
  ],
  [
    "a template, its value and pino's error among fields",
    ['Order {Id} failed', 'o-17', { tenant: 'acme', err: declined }],
    { message: 'Order o-17 failed', error: 'card declined', tenant: 'acme', err: undefined },
  ],
  [
    'fields, a template, its value and an error',
    [{ a: 1, tenant: 'x' }, 'Order {Id} failed', 'o-17', declined],
    { message: 'Order o-17 failed', a: 1, tenant: 'x', error: 'card declined' },
  ],
  [
    'an error, a template, its value and fields',
    [declined, 'Order {Id} failed', 'o-17', { tenant: 'acme' }],
    { message: 'Order o-17 failed', tenant: 'acme', error: 'card declined' },
  ],
  [
    'fields before a template and after it',
    [{ a: 1, b: 1 }, 'Order {Id}', 'o-17', { b: 2 }],
    { message: 'Order o-17', a: 1, b: 2, extra_0: undefined },
  ],
  [
    'two errors, of which the second is a value without a hole',
    [declined, 'Order {Id} failed', 'o-17', new Error('late')],
    { error: 'card declined', extra_0: expect.objectContaining({ message: 'late' }) },
  ],
  [
    'values without a hole, an error and fields',
    ['Order {Id} failed', 'o-17', 5, declined, { tenant: 'acme' }],
    { Id: 'o-17', extra_0: 5, extra_1: undefined, error: 'card declined', tenant: 'acme' },
  ],
  [
    'an object of a class that no hole takes, as a value',
    ['Order {Id}', 17, new Order('o-17')],
    { Id: 17, extra_0: { id: 'o-17' }, id: undefined },
  ],
  [
    'an object that fills a hole, and fields',
    ['Got {@Thing}', { a: 1 }, { b: 2 }],
    { Thing: { a: 1 }, a: undefined, b: 2 },
  ],
  [
    'a template with positions, its values and an error',
    ['{0} of {1}, {0}', 'a', 'b', declined],
    { message: 'a of b, a', error: 'card declined', extra_0: undefined },
  ],
];

/** Of the methods that have a template first in the specification. */
const PLAIN: readonly Row[] = [
  ['two texts', ['Order', 'o-17'], { '@mt': 'Order', extra_0: 'o-17', error: undefined }],
  ['two texts, the first with a hole', ['Order {Id}', 'o-17'], { '@mt': 'Order {Id}', Id: 'o-17' }],
  ['an object with a message', [{ message: 'hi' }, 'Got'], { '@mt': 'Got', message_: 'hi' }],
  ['a number', [5], { message: '5', error: undefined }],
  ['a number and a text, as it may be thrown', [5, 'Failed'], { '@mt': 'Failed', error: '5' }],
  ['a list', [[1, 2]], { message: '[1,2]' }],
  ['undefined', [undefined], { message: 'undefined' }],
];

/** Of the methods that have an error first in the specification. */
const ERRORS: readonly Row[] = [
  [
    'a template and its value, both texts',
    ['Payment of {Id} failed', 'o-17'],
    { '@mt': 'Payment of {Id} failed', Id: 'o-17', error: undefined },
  ],
  [
    'a template with two holes and their values',
    ['Payment of {Id} failed: {Why}', 'o-17', 'declined'],
    { Id: 'o-17', Why: 'declined', error: undefined },
  ],
  ['a template with positions', ['{0} and {0}', 'x'], { '@mt': '{0} and {0}', '0': 'x' }],
  [
    'a template with positions in another order',
    ['{1} before {0}', 'x', 'y'],
    { '@mt': '{1} before {0}', '0': 'x', '1': 'y' },
  ],
  [
    'an error as a text, and a text',
    ['disk full', 'Saving failed'],
    { '@mt': 'Saving failed', error: 'disk full' },
  ],
  [
    'an error as a text, a template and its value',
    ['disk full', 'Saving {Id} failed', 'o-17'],
    { '@mt': 'Saving {Id} failed', Id: 'o-17', error: 'disk full' },
  ],
  [
    'an error as a text with a hole too many',
    ['Unexpected {a} and {b}', 'Parsing failed'],
    { '@mt': 'Parsing failed', error: 'Unexpected {a} and {b}' },
  ],
  [
    'an error as a text with a hole too few',
    ['Unexpected {token}', 'Parsing {File} failed', 'a.json'],
    { '@mt': 'Parsing {File} failed', File: 'a.json', error: 'Unexpected {token}' },
  ],
  ['JSON as the error', ['{"a":1}', 'Failed'], { '@mt': 'Failed', error: '{"a":1}' }],
  [
    'a text and an error',
    ['Saving failed', declined],
    { '@mt': 'Saving failed', error: 'card declined' },
  ],
  [
    'a template, its value and an error',
    ['Order {Id} failed', 17, declined],
    { Id: 17, error: 'card declined', extra_0: undefined },
  ],
  [
    'a template whose hole takes the error',
    ['Failed: {Reason}', declined],
    { '@mt': 'Failed: {Reason}', error: undefined },
  ],
  [
    'what was thrown, with a message',
    [thrown, 'Failed'],
    { '@mt': 'Failed', error: 'odd', code: undefined },
  ],
  ['what was thrown, alone', [thrown], { message: 'odd', error: 'odd' }],
  ['a number that was thrown', [5, 'Failed'], { '@mt': 'Failed', error: '5' }],
  ['a list that was thrown', [[1, 2], 'Failed'], { '@mt': 'Failed', error: '[1,2]' }],
  ['a date that was thrown', [new Date(NaN), 'Failed'], { '@mt': 'Failed', error: 'Invalid Date' }],
  ['undefined', [undefined], { message: 'undefined', error: undefined }],
  [
    'a template, its value and what was thrown',
    ['Order {Id} failed', 'o-17', thrown],
    { message: 'Order o-17 failed', error: 'odd', code: undefined, extra_0: undefined },
  ],
  [
    'a template, its value and a text that was thrown',
    ['Order {Id} failed', 'o-17', 'boom'],
    { message: 'Order o-17 failed', extra_0: 'boom', error: undefined },
  ],
  [
    'a text, a value without a hole and an error',
    ['Saving failed', 'o-17', declined],
    { message: 'Saving failed', extra_0: 'o-17', error: 'card declined' },
  ],
  [
    'a text, a value with braces and an error: values are no templates',
    ['Saving failed', 'a {b}', declined],
    { message: 'Saving failed', extra_0: 'a {b}', error: 'card declined' },
  ],
  [
    'an error as a text, a template, its value and fields',
    ['disk full', 'Saving {Id} failed', 'o-17', { tenant: 'acme' }],
    { message: 'Saving o-17 failed', error: 'disk full', tenant: 'acme' },
  ],
];

const LEVELS = {
  verbose: 'trace',
  debug: 'debug',
  information: 'info',
  info: 'info',
  log: 'info',
  warning: 'warn',
  warn: 'warn',
  error: 'error',
} as const;
type Method = keyof typeof LEVELS;
const METHODS = Object.keys(LEVELS) as Method[];

const FUNCTIONS: Readonly<Record<string, unknown>> = { ...functions };
const functionOf = (name: string): LogMethod | undefined =>
  FUNCTIONS[name] as LogMethod | undefined;

describe('a call', () => {
  let logged: CollectingSink;
  let root: Logger;
  let injected: Logger;

  beforeEach(() => {
    logged = collectingSink();
    root = createLogger({ level: 'verbose', caller: true, sinks: [logged] });
    injected = new ContextLogger(root, undefined);
    setDefaultLogger(root);
  });
  afterEach(() => root.close());

  const says = (method: LogMethod, args: readonly unknown[]): Record<string, unknown> => {
    logged.clear();
    method(...(args as [unknown]));
    return logged.only();
  };
  const check = (method: Method, [, args, event]: Row): void => {
    const wanted = {
      ...event,
      level: LEVELS[method],
      caller: expect.stringContaining('call-form.spec.ts'),
    };
    const ways: [string, LogMethod][] = [
      ['logger', (...said: [unknown]) => root[method](...said)],
      ['injected', (...said: [unknown]) => injected[method](...said)],
    ];
    const plain = functionOf(method);
    const inContext = functionOf(`${method}Ctx`);
    if (plain && inContext) {
      ways.push(
        ['function', (...said: [unknown]) => plain(...said)],
        ['in a context', (...said: [unknown]) => runWithLogger(root, () => inContext(...said))],
      );
    }
    const found = ways.map(([way, call]) => [way, says(call, args)]);
    for (const [, each] of found) {
      for (const name of Object.keys(event))
        if (event[name] === undefined) expect(each).not.toHaveProperty([name]);
    }
    const defined = Object.fromEntries(
      Object.entries(wanted).filter(([, value]) => value !== undefined),
    );
    expect(found).toEqual(found.map(([way]) => [way, expect.objectContaining(defined)]));
  };

  describe.each(METHODS)('of %s', (method) => {
    it.each(TEMPLATES)('takes %s', (...row) => check(method, row));
  });

  describe.each(METHODS.filter((method) => method !== 'error'))('of %s', (method) => {
    it.each(PLAIN)('takes %s', (...row) => check(method, row));
  });

  it.each([...ERRORS])('of error takes %s', (...row) => check('error', row));

  it('does not change what it is given', () => {
    const fields = Object.freeze({ err: declined, a: 1 });
    const args: readonly unknown[] = [fields, 'Failed {A}', 1];
    root.error(...(args as [unknown, string, number]));
    root.info(...(args as [unknown, string, number]));
    expect(args).toEqual([fields, 'Failed {A}', 1]);
  });

  it('keeps what a getter throws to itself, and so a proxy that was revoked', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = {
      get err(): never {
        throw new Error('no');
      },
      get message(): never {
        throw new Error('no');
      },
      a: 1,
    };
    for (const value of [proxy, hostile, [proxy], { err: proxy }, { error: proxy }]) {
      for (const method of METHODS) {
        logged.clear();
        root[method](value, 'said');
        root[method](value);
        expect(logged.count).toBe(2);
      }
    }
  });
});
