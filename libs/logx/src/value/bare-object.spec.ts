import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { fieldValueOf } from './field-value-of.js';
import { resolveLimits } from './value-limits.js';

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON', '0'];
const read = (value: unknown): Record<string, unknown> =>
  fieldValueOf(value, resolveLimits()) as Record<string, unknown>;

describe('an object in a field', () => {
  it.each(NAMES)('inherits nothing under %s', (name) => {
    const value = read({ a: 1 });
    expect(value[name]).toBeUndefined();
    expect(name in value).toBe(false);
  });

  it.each(NAMES)('can have a member %s', (name) => {
    const value = read(JSON.parse(`{"${name}":{"a":1}}`));
    expect(Object.keys(value)).toEqual([name]);
    expect(JSON.stringify(value)).toBe(`{"${name}":{"a":1}}`);
  });

  it.each(NAMES.filter((name) => name !== '0'))('of an event can have the name %s', (name) => {
    const logged = collectingSink();
    const log = createLogger({ sinks: [logged], redact: { names: ['secret'] } });
    log.info(JSON.parse(`{"${name}":{"secret":1,"a":2}}`), 'x');
    expect(logged.lines[0]).toContain(`"${name}":{"secret":"[Redacted]","a":2}`);
  });

  it('has nothing to inherit from that anybody could change', () => {
    const prototype: unknown = Object.getPrototypeOf(read({}));
    expect(Object.isFrozen(prototype)).toBe(true);
    expect(Reflect.ownKeys(prototype as object)).toEqual([]);
    expect(Object.getPrototypeOf(prototype)).toBeNull();
  });
});

describe('an object', () => {
  it('is asked for toJSON and each member once', () => {
    const asked: string[] = [];
    const value = new Proxy(
      { a: 1, b: { c: 2 } },
      {
        get: (target, name) => (asked.push(String(name)), Reflect.get(target, name)),
      },
    );
    expect(read(value)).toEqual({ a: 1, b: { c: 2 } });
    expect(asked).toEqual(['toJSON', 'a', 'b']);
  });

  it('that stands twice in another is no cycle, and one that is in itself is', () => {
    const inner = { a: 1 };
    const outer: Record<string, unknown> = { first: inner, second: [inner, inner] };
    outer['self'] = { again: outer };
    expect(read(outer)).toEqual({
      first: { a: 1 },
      second: [{ a: 1 }, { a: 1 }],
      self: { again: '[Circular]' },
    });
  });

  it('whose traps throw costs its own place only', () => {
    const fail = (): never => {
      throw new Error('no');
    };
    const traps = ['getPrototypeOf', 'ownKeys', 'get', 'getOwnPropertyDescriptor'] as const;
    for (const trap of traps) {
      const value = read({ bad: new Proxy({ x: 1 }, { [trap]: fail }), good: 1 });
      expect(value['good']).toBe(1);
      expect(JSON.stringify(value['bad'])).toContain('[Unreadable: no]');
    }
  });
});
