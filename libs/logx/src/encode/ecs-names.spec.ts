import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { duplicateKeys } from './duplicate-keys.fixture.js';
import { refusalOf } from '../../../../tools/testing/elasticsearch-refusals.js';

function lineOf(log: (logger: Logger) => void, ecs: object = {}): string {
  const lines: string[] = [];
  const write = (line: string): unknown => lines.push(line);
  const sinks = [customSink({ write }, { format: 'ecs' })];
  log(createLogger({ sinks, ecs, limits: { depth: 40 }, timestamp: false, stackTrace: true }));
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

/** The fields of a line without those of each line. */
function fieldsOf(log: (logger: Logger) => void, ecs?: object): object {
  const line = JSON.parse(lineOf(log, ecs)) as Record<string, unknown>;
  expect(refusalOf(line)).toBeUndefined();
  const own = new Set(['log.level', 'message', 'ecs.version', 'message_template.text']);
  return Object.fromEntries(Object.entries(line).filter(([name]) => !own.has(name)));
}

const LONG = 'x'.repeat(600);

describe('a line for Elasticsearch has names that it takes', () => {
  it.each<[string, (log: Logger) => void, object]>([
    ['an empty one', (log) => log.info('Query {Query}', { '': '1' }), { Query: { _: '1' } }],
    ['an empty field', (log) => log.info({ '': 1, _: 2 }), { __: 1, _: 2 }],
    ['a blank one', (log) => log.info({ ' \t': 1 }), { _: 1 }],
    ['dots alone', (log) => log.info({ '.': 1 }), { '_._': 1 }],
    ['a dot first', (log) => log.info({ '.a': 1 }), { '_.a': 1 }],
    ['a dot last', (log) => log.info({ 'a.': 1, a: 2 }), { 'a_._': 1, a: 2 }],
    ['two dots', (log) => log.info({ 'a..b': 1 }), { 'a._.b': 1 }],
    ['one of its own', (log) => log.info({ _id: 1, _id_: 2 }), { _id_: 1, _id__: 2 }],
    ['one of its own inside', (log) => log.info({ a: { _id: 1 } }), { a: { _id: 1 } }],
    ['a long one', (log) => log.info({ [LONG]: 1 }), { [`${LONG.slice(0, 512)}…`]: 1 }],
    [
      'two long ones',
      (log) => log.info({ [`${LONG}a`]: 1, [`${LONG}b`]: 2 }),
      { [`${LONG.slice(0, 512)}…`]: 1, [`${LONG.slice(0, 512)}…_`]: 2 },
    ],
    ['a value and an object', (log) => log.info({ a: 1, 'a.b': 2 }), { a_: 1, 'a.b': 2 }],
    ['the same in another order', (log) => log.info({ 'a.b': 2, a: 1 }), { 'a.b': 2, a_: 1 }],
    ['the same inside', (log) => log.info({ o: { a: 1, 'a.b': 2 } }), { o: { a_: 1, 'a.b': 2 } }],
    [
      'an object with a value inside that has one in another',
      (log) => log.info({ a: { b: 1 }, 'a.b.c': 2 }),
      { a_: { b: 1 }, 'a.b.c': 2 },
    ],
    ['objects that fit', (log) => log.info({ a: { b: 1 }, 'a.c': 2 }), { a: { b: 1 }, 'a.c': 2 }],
    ['null for an object', (log) => log.info({ a: null, 'a.b': 2 }), { a: null, 'a.b': 2 }],
    ['a list of values', (log) => log.info({ a: [1], 'a.b': 2 }), { a_: [1], 'a.b': 2 }],
    [
      'a list of objects',
      (log) => log.info({ a: [{ c: 1 }], 'a.b': 2 }),
      { a: [{ c: 1 }], 'a.b': 2 },
    ],
    [
      'a field of the logger and an argument',
      (log) => log.forContext('a.b', 1).info('{a}', 2),
      { 'a.b': 1, a_: 2 },
    ],
    [
      'a field of the logger and another one',
      (log) => log.forContext('a', 1).forContext('b', 3).info({ 'a.b': 2 }),
      { a_: 1, b: 3, 'a.b': 2 },
    ],
    ['one below the level', (log) => log.info({ 'log.level.x': 1 }), { 'log.level_.x': 1 }],
    ['one below the message', (log) => log.info({ 'message.x': 1 }), { 'message_.x': 1 }],
    [
      'a trace that is none',
      (log) => log.forContext('trace_id', 'ab').info('{trace}', 5),
      { 'trace.id': 'ab', trace_: 5 },
    ],
    [
      'fields of a pino child',
      (log) => log.pino.child({ a: 1 }).info({ 'a.b': 2, '': 3 }, 'x'),
      { a_: 1, 'a.b': 2, _: 3 },
    ],
  ])('%s', (_what, log, expected) => {
    expect(fieldsOf(log)).toEqual(expected);
  });

  it('and no more objects within objects than it takes', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 'end' : { a: deep(levels - 1) });
    const names = (count: number) => Array.from({ length: count }, () => 'a').join('.');
    expect(fieldsOf((log) => log.info({ a: deep(19) }))).toEqual({ a: deep(19) });
    expect(JSON.stringify(fieldsOf((log) => log.info({ a: deep(30) })))).toContain('end');
    expect(fieldsOf((log) => log.info({ [names(20)]: 1 }))).toEqual({ [names(20)]: 1 });
    expect(fieldsOf((log) => log.info({ [names(22)]: 1 }))).toEqual({ [`${names(20)}_a_a`]: 1 });
    expect(fieldsOf((log) => log.info({ [names(18)]: deep(4) }))).toEqual({
      [names(18)]: { a: { a: '{"a":{"a":"end"}}' } },
    });
  });

  it('and short ones for thousands that would become one, as a caller may send them', () => {
    const blanks = ['\t', ' ', '\u2028', '\u3000'];
    const texts = (length: number): string[] =>
      length === 0 ? [''] : texts(length - 1).flatMap((text) => blanks.map((one) => text + one));
    const query = Object.fromEntries(texts(5).map((name, at) => [name, at]));
    const taken = { Query: { _: -1, __: -2, ...query } };
    const { Query } = fieldsOf((log) => log.info('Query {Query}', taken.Query)) as typeof taken;
    expect(Object.values(Query).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 4 ** 5 + 2 }, (_, at) => at - 2),
    );
    expect(Math.max(...Object.keys(Query).map((name) => name.length))).toBe('__1026'.length);
    expect(Object.keys(Query).slice(0, 4)).toEqual(['_', '__', '___', '__3']);
  });

  it('and one object for all fields that are below a value', () => {
    const below = { 'message.x': 1, 'message.y': 2, 'message.z': 3 };
    expect(fieldsOf((log) => log.info(below))).toEqual({
      'message_.x': 1,
      'message_.y': 2,
      'message_.z': 3,
    });
  });

  it('whatever the names are, with every value and no name twice', () => {
    const part = fc.constantFrom('', ' ', '\u001c', 'a', 'b', '_', 'a_', '_id', 'level', 'message');
    const own = fc.constantFrom('log', 'trace', 'trace_id', 'user_agent', 'service', 'url', LONG);
    const name = fc.oneof(
      {
        arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }).map((x) => x.join('.')),
        weight: 4,
      },
      own,
      fc.array(part, { minLength: 18, maxLength: 24 }).map((parts) => parts.join('.')),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.constant(0), tie('list'), tie('object')),
      list: tie('value').map((one) => [one]),
      object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    }));
    const fields = fc.dictionary(name, value, { maxKeys: 4 });
    const ecs = fc.record({ requests: fc.boolean(), keepObjects: fc.boolean() });
    fc.assert(
      fc.property(fields, fields, fields, ecs, (outer, inner, last, options) => {
        let count = 0;
        // Each number is another one, so that none may be lost.
        const numbered = (from: unknown): unknown => {
          if (from === 0) return 1_000_000 + count++;
          if (Array.isArray(from)) return from.map(numbered);
          return Object.fromEntries(
            Object.entries(from as object).map(([key, member]) => [key, numbered(member)]),
          );
        };
        const lists = [outer, inner, last].map((each) => numbered(each) as Record<string, unknown>);
        // Of fields with one name the last counts.
        const all = JSON.stringify(Object.assign({}, ...lists)).match(/1\d{6}/g) ?? [];
        const line = lineOf(
          (log) => log.forContextValues(lists[0]!).forContextValues(lists[1]!).info(lists[2], 'x'),
          options,
        );
        expect(duplicateKeys(line)).toEqual([]);
        expect(refusalOf(JSON.parse(line) as object)).toBeUndefined();
        expect(line.match(/1\d{6}/g)?.toSorted() ?? []).toEqual(all.toSorted());
      }),
      { numRuns: 500 },
    );
  });
});
