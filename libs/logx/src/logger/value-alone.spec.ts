import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPlainObject } from '@apix/contracts/internal';
import { ContextLogger } from '../nest/context-logger.js';
import { LogxLoggerService } from '../nest/logx-logger.service.js';
import type { LoggedEvent } from '../testing/logged-events.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { createLogger } from './create-logger.js';
import type { LoggerOptions } from './logger-options.js';

class Hidden {
  readonly #id = 7;
  same(other: Hidden): boolean {
    return this.#id === other.#id;
  }
}
class Named {
  readonly #name: string = 'Ada';
  toString(): string {
    return this.#name;
  }
}
class Money {
  readonly #cents = 150;
  toJSON(): object {
    return { cents: this.#cents };
  }
}
class Decimal {
  readonly digits = [1, 5];
  toJSON(): string {
    return this.digits.join('.');
  }
}
class User {
  readonly name = 'Ada';
  readonly password = 'x';
  toJSON(): object {
    return { name: this.name };
  }
}
function* counting(): Generator<number> {
  yield 1;
}
const far = (code: string): unknown => vm.runInNewContext(code);

const VALUES: readonly (readonly [string, unknown, string])[] = [
  ['a list', [{ a: 1 }], '[{"a":1}]'],
  ['an empty list', [], '[]'],
  ['a map', new Map([['a', 1]]), '{"a":1}'],
  ['an empty map', new Map(), '{}'],
  ['a map of another realm', far('new Map([["a", 1]])'), '{"a":1}'],
  ['a map with a member', Object.assign(new Map([['a', 1]]), { b: 2 }), '{"a":1}'],
  ['a set', new Set([1, 'x']), '[1,"x"]'],
  ['a set of another realm', far('new Set([1])'), '[1]'],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['an invalid date', new Date(NaN), 'Invalid Date'],
  ['a regular expression', /a/g, '/a/g'],
  ['a URL', new URL('http://a.example/?b'), 'http://a.example/?b'],
  ['parameters of a URL', new URLSearchParams('a=1'), 'a=1'],
  ['headers', new Headers({ a: 'b' }), '[object Headers]'],
  ['bytes', Buffer.from('ab'), 'YWI='],
  ['a buffer of bytes', new Uint8Array([97, 98]).buffer, 'YWI='],
  ['a shared buffer', new SharedArrayBuffer(2), 'AAA='],
  ['a typed array', new Uint16Array([1, 2]), '[1,2]'],
  ['an object whose members are private', new Hidden(), '{}'],
  ['an object with a text', new Named(), 'Ada'],
  ['an object with a JSON form', new Money(), '{"cents":150}'],
  ['an object whose JSON form is a text', new Decimal(), '1.5'],
  ['an object without members', {}, '{}'],
  ['one without a prototype', Object.create(null), '{}'],
  ['a symbol', Symbol('x'), 'Symbol(x)'],
  ['a bigint', 5n, '5'],
  ['a function', function pay() {}, '[Function: pay]'],
  ['a class', Hidden, '[Function: Hidden]'],
  ['a text as an object', Object('ab'), 'ab'],
  ['a number as an object', Object(5), '5'],
  ['a promise', Promise.resolve(), '[Promise]'],
  ['a weak map', new WeakMap(), '[Weak]'],
  ['a generator', counting(), '[object Generator]'],
  ['an iterator', new Map().entries(), '[object Map Iterator]'],
];

/** The message of each way to log a value alone, and of the value as an argument. */
function saidBy(value: unknown, options: LoggerOptions = {}) {
  const sink = collectingSink();
  const root = createLogger({ ...options, sinks: [sink] });
  const injected = new ContextLogger(root, 'x');
  const nest = new LogxLoggerService(root);
  root.log(value);
  root.warning(value);
  root.error(value);
  injected.info(value);
  injected.error(value);
  nest.log(value);
  nest.warn(value, 'Context');
  nest.error(value);
  root.information('{Value}', value);
  return sink.lines.map((line) => {
    const { message, error } = JSON.parse(line) as LoggedEvent;
    return { message, error };
  });
}

describe('a value alone', () => {
  it.each(VALUES)('that is %s has the text of an argument', (_what, value, text) => {
    const said = saidBy(value);
    expect(said.map(({ message }) => message)).toEqual(Array(9).fill(text));
    expect(said.flatMap(({ error }) => error ?? [])).toEqual(said[2]!.error ? [text, text] : []);
  });

  it('has the text of an argument, whatever it is', () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSet: true,
      withTypedArray: true,
    });
    const alone = anything.filter(
      (value) =>
        value !== undefined &&
        typeof value !== 'string' &&
        (!isPlainObject(value) || Object.keys(value).length === 0),
    );
    fc.assert(
      fc.property(alone, (value) => {
        const texts = new Set(saidBy(value).map(({ message }) => message));
        expect([...texts]).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });

  it('is read within the limits, and its secrets are hidden like those of fields', () => {
    const users = [{ name: 'Ada', password: 'x' }];
    const secret = new Map<string, unknown>([
      ['password', 'x'],
      ['user', users[0]],
    ]);
    const redact = { paths: ['password', '*.password'], names: ['token'] };
    const hidden = '[{"name":"Ada","password":"[Redacted]"}]';
    const said = (value: unknown, options: LoggerOptions) =>
      saidBy(value, options)
        .slice(0, -1)
        .flatMap(({ message, error }) => [message, error ?? message]);
    expect(new Set(said(users, { redact }))).toEqual(new Set([hidden]));
    expect(new Set(said(secret, { redact }))).toEqual(
      new Set([`{"password":"[Redacted]","user":${hidden.slice(1, -1)}}`]),
    );
    expect(new Set(said([1, 2, 3], { limits: { items: 2 } }))).toEqual(new Set(['[1,2,"…"]']));
  });

  it('whose getter logs it again is logged', () => {
    const sink = collectingSink();
    const log = createLogger({ sinks: [sink] });
    const list: unknown[] = [
      {
        get again(): number {
          log.information(list);
          return 1;
        },
      },
    ];
    log.information(list);
    expect(sink.messages.at(-1)).toBe('[{"again":1}]');
  });
});

describe('an object with members', () => {
  const fieldsOf = (value: unknown) => {
    const sink = collectingSink();
    createLogger({ sinks: [sink], timestamp: false }).information(value);
    return sink.only();
  };

  it('of a class with a JSON form has the fields of that', () => {
    expect(fieldsOf(new User())).toEqual({
      level: 'info',
      '@mt': '',
      message: '',
      name: 'Ada',
    });
  });

  it('whose JSON form cannot be read is a value', () => {
    class Broken {
      readonly a = 1;
      toJSON(): never {
        throw new Error('no');
      }
    }
    expect(fieldsOf(new Broken())['message']).toBe('[Unreadable: no]');
  });
});

describe('a cause or an inner error that is a value', () => {
  it.each<[string, unknown, string]>([
    ['a cause', new Error('saving', { cause: { code: 'E1' } }), 'saving: {"code":"E1"}'],
    ['an inner one', new AggregateError([[{ a: 1 }]], 'both'), 'both [[{"a":1}]]'],
  ])('has the text of an argument: %s', (_what, error, text) => {
    const sink = collectingSink();
    createLogger({ sinks: [sink], stackTrace: true }).error(error, 'Failed');
    expect(sink.only()['error']).toBe(text);
    expect(sink.only()['stack']).not.toContain('[object');
  });
});
