import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { customSink } from '../sinks/custom-sink.js';
import type { FieldValue } from '../value/field-value.js';
import type { LogEvent } from './log-event.js';
import { visitFields } from './visit-fields.js';

type Fields = ReadonlyMap<string, FieldValue>;

function visited(event: LogEvent): { readonly ofLogger: Fields | undefined; readonly all: Fields } {
  const all = new Map<string, FieldValue>();
  const add = (name: string, value: FieldValue): void => {
    expect(all.has(name)).toBe(false);
    all.set(name, value);
  };
  let ofLogger: Fields | undefined;
  visitFields(event, {
    loggerFields(fields) {
      expect(all.size).toBe(0);
      ofLogger = fields;
      for (const [name, value] of fields) add(name, value);
    },
    field: add,
  });
  return { ofLogger, all };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}

function collecting() {
  const events: LogEvent[] = [];
  const sink = customSink({ emit: (event) => void events.push(event) });
  return { events, logger: createLogger({ sinks: [sink] }) };
}

describe('a visit of the fields', () => {
  it.each<[string, string, readonly unknown[]]>([
    ['no fields', 'x', []],
    ['fields of the logger alone', 'x', []],
    ['arguments', '{A} {B}', [1, 'two']],
    ['an argument too few', '{A} {B}', [1]],
    ['arguments and other fields', '{A}', [1, 'surplus']],
    ['a hole that comes twice', '{A} {A}', [1, 2]],
    ['a field of the logger hidden by an argument', '{tenant}', ['other']],
    ['a hole of such a name without an argument', '{tenant}', []],
    ['a field called __proto__', '{__proto__}', [1]],
  ])('with %s finds what the event says', (_, template, args) => {
    const { events, logger } = collecting();
    logger.information(template, ...args);
    logger.forContextValues({ tenant: 7, __proto__: null }).information(template, ...args);
    expect(events).toHaveLength(2);
    for (const event of events) {
      expect(new Map([...visited(event).all].toSorted(byName))).toEqual(
        new Map([...event.fields].toSorted(byName)),
      );
    }
  });

  it('has the fields of a logger in one map', () => {
    const { events, logger } = collecting();
    const child = logger.forContext('tenant', 7);
    child.information('{A}', 1);
    child.information('{B}', 2);
    const [first, second] = events.map((event) => visited(event).ofLogger);
    expect(first).toBe(second);
    expect([...first!]).toEqual([['tenant', 7]]);
  });

  it('takes an event that was made elsewhere', () => {
    const { events, logger } = collecting();
    logger.forContext('tenant', 7).information('{A}', 1);
    const { fields, level, time, template, message, error, stack, caller } = events[0]!;
    const copy: LogEvent = { fields, level, time, template, message, error, stack, caller };
    expect(visited(copy)).toEqual({ ofLogger: undefined, all: fields });
  });
});
