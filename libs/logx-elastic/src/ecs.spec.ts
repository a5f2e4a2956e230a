import { createLogger, type Logger } from '@apix/logx/core';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { refusalOf } from '../../../tools/testing/elasticsearch-refusals.js';
import { recordedSink } from './recorded-sink.fixture.js';

/**
 * The fields of the specification of ecs-logging that a line of logx can have
 * (github.com/elastic/ecs-logging, spec/spec.json and spec/README.md): their types, which of them
 * are required, and that the first three keep this order where they are there.
 */
const RULES: Readonly<Record<string, { type: Type; required?: true; index?: number }>> = {
  '@timestamp': { type: 'datetime', required: true, index: 0 },
  'log.level': { type: 'string', required: true, index: 1 },
  message: { type: 'string', index: 2 },
  'ecs.version': { type: 'string', required: true },
  'service.name': { type: 'string' },
  'log.logger': { type: 'string' },
  'log.origin.file.name': { type: 'string' },
  'log.origin.file.line': { type: 'integer' },
  'error.message': { type: 'string' },
  'error.stack_trace': { type: 'string' },
};

type Type = 'string' | 'integer' | 'datetime';

const IS: Readonly<Record<Type, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  datetime: (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
};

function mistakesIn(line: string): string[] {
  const event = JSON.parse(line) as Record<string, unknown>;
  const names = Object.keys(event);
  const nested = new Set(Object.keys(RULES).map((name) => name.split('.')[0]!));
  return [
    ...Object.entries(RULES).flatMap(([name, { type, required, index }]) => {
      if (!(name in event)) return required ? [`${name} is missing`] : [];
      return [
        ...(IS[type](event[name]) ? [] : [`${name} is no ${type}`]),
        ...(index === undefined || names[index] === name ? [] : [`${name} is not at ${index}`]),
      ];
    }),
    // A text under the name of an object makes Elasticsearch refuse the line.
    ...names
      .filter((name) => nested.has(name) && !(name in RULES) && typeof event[name] !== 'object')
      .map((name) => `${name} is an object elsewhere`),
    ...(line.indexOf('\n') === line.length - 1 ? [] : ['more than one line']),
  ];
}

/** The lines that Elasticsearch gets. */
async function linesOf(log: (logger: Logger) => void): Promise<string[]> {
  const { sink, bodies } = recordedSink();
  const logger = createLogger({ sinks: [sink], level: 'verbose', caller: true, stackTrace: true });
  log(logger);
  await logger.close();
  return bodies
    .join('')
    .match(/[^\n]*\n/g)!
    .filter((_, i) => i % 2 === 1);
}

describe('the lines that Elasticsearch gets', () => {
  it.each<readonly [string, (log: Logger) => void]>([
    ['plain', (log) => log.information('up')],
    ['every level', (log) => (log.verbose('a'), log.debug('b'), log.warning('c'))],
    ['an error with its stack', (log) => log.error(new Error('a\nb'), '{Order} failed', 'o-1')],
    ['no error in an error', (log) => log.error(undefined, 'odd')],
    ['names that ECS has', (log) => log.named('shop').forContext('logger', 'orders').info('x')],
    [
      'names that would spoof its own',
      (log) =>
        log
          .forContextValues({
            '@timestamp': 0,
            'log.level': 1,
            message: 2,
            'ecs.version': 3,
            log: 4,
            error: 5,
            ecs: 6,
            'error.message': 7,
          })
          .info('{log} {error}', 1, 2),
    ],
  ])('keep the rules of ecs-logging: %s', async (_, log) => {
    const lines = await linesOf(log);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.flatMap(mistakesIn)).toEqual([]);
  });

  it('keep them whatever is logged', async () => {
    const texts = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(texts, fc.dictionary(texts, fc.anything())), { maxLength: 5 }),
        async (events) => {
          const lines = await linesOf((log) => {
            log.info('first');
            for (const [text, fields] of events) log.forContextValues(fields).info('{A}', text);
          });
          expect(lines).toHaveLength(events.length + 1);
          expect(lines.flatMap(mistakesIn)).toEqual([]);
        },
      ),
    );
  });

  it('have no name that Elasticsearch refuses', async () => {
    const part = fc.constantFrom('', ' ', 'a', 'b', '_id', 'message', 'log');
    const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
    const fields = fc.dictionary(name, fc.oneof(fc.nat(), fc.dictionary(name, fc.nat())));
    await fc.assert(
      fc.asyncProperty(fc.array(fields, { minLength: 1, maxLength: 4 }), async (events) => {
        const lines = await linesOf((log) => {
          for (const each of events) log.forContextValues(each).info('Query {Query}', each);
        });
        const refusals = lines.map((line) => refusalOf(JSON.parse(line) as object));
        expect(refusals).toEqual(events.map(() => undefined));
      }),
    );
  });

  it('are measured by rules that can fail', () => {
    expect(mistakesIn('{"log.level":1,"@timestamp":"today","error":"x"}\n')).toEqual([
      '@timestamp is no datetime',
      '@timestamp is not at 0',
      'log.level is no string',
      'log.level is not at 1',
      'ecs.version is missing',
      'error is an object elsewhere',
    ]);
  });
});
