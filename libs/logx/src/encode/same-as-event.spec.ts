import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LogEvent } from '../event/log-event.js';
import { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { SAFE_REDACTION } from '../redact/safe-redaction.js';
import { customSink } from '../sinks/custom-sink.js';
import { anyTemplate, anyValue } from './anything.fixture.js';

/** What a sink of events and sinks of lines get of one call. */
function logged(call: (log: Logger) => void, redacts: boolean): unknown[] {
  let event: LogEvent | undefined;
  const lines: Record<string, Record<string, unknown>> = {};
  const sinks = (['json', 'ecs', 'otel'] as const).map((format) =>
    customSink(
      { write: (line) => void (lines[format] = JSON.parse(line) as Record<string, unknown>) },
      { format },
    ),
  );
  sinks.push(customSink({ emit: (each) => void (event = each) }));
  call(createLogger({ sinks, ...(redacts && { redact: SAFE_REDACTION }) }).forContext('In', 1));
  const attributes = lines['otel']!['attributes'] as { key: string; value: unknown }[];
  const otelTemplate = attributes.find(({ key }) => key === 'log.template')!.value;
  return [
    [event!.message, event!.template],
    [lines['json']!['message'], lines['json']!['@mt']],
    [lines['ecs']!['message'], lines['ecs']!['message_template.text']],
    [
      (lines['otel']!['body'] as { stringValue: unknown }).stringValue,
      (otelTemplate as { stringValue: unknown }).stringValue,
    ],
  ];
}

/** What is well formed stays; a lone surrogate has no UTF-8, and is escaped in lines. */
function check(call: (log: Logger) => void, redacts = false): void {
  const [event, ...lines] = logged(call, redacts);
  expect(lines).toEqual([event, event, event]);
}

const TEXTS: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['no hole', 'The queue is empty'],
  ['doubled braces', 'a {{b}} c'],
  ['braces that are no hole', '{"id":1,"a":{"b":"}"}}'],
  ['a hole that nothing fills', 'Order {Id}'],
  ['what must be escaped', 'say "hi"\\\n\u0001'],
  ['letters beyond ASCII', 'é € \u{1f600}'],
  ['2 kB', 'a long letter '.repeat(150)],
  ['2 kB, escaped', 'a "long" letter\n'.repeat(150)],
  ['2 kB beyond ASCII', 'é € \u{1f600} '.repeat(300)],
];

describe('a line says what the event says', () => {
  describe.each([true, false])('with redaction: %s', (redacts) => {
    it.each(TEXTS)('of a text with %s', (_, text) => {
      check((log) => log.info(text), redacts);
      check((log) => log.info(text, 'extra'), redacts);
      check((log) => log.error(text), redacts);
      check((log) => log.info({ In: 2 }, text), redacts);
      check((log) => log.write({ level: Level.Information, text }), redacts);
    });
  });

  it('of a text with a password in it', () => {
    const said = logged((log) => log.info('at postgres://shop:pw@db/orders'), true);
    const shown = 'at postgres://shop:[Redacted]@db/orders';
    expect(said).toEqual(said.map(() => [shown, shown]));
  });

  it('of any template and any values', () => {
    fc.assert(
      fc.property(anyTemplate(), fc.array(anyValue(), { maxLength: 4 }), (template, thunks) => {
        check((log) => log.info(template, ...thunks.map((make) => make())));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a line of a text alone', () => {
  /** Lines of texts by two loggers at two levels, each several times in a row. */
  function linesOf(
    options: { readonly format: 'json' | 'ecs'; readonly message: boolean },
    say: (log: Logger, level: Level, text: string) => void,
  ): string[] {
    const lines: string[] = [];
    const { format, message } = options;
    const sink = customSink({ write: (line) => void lines.push(line) }, { format });
    const clock = { now: () => 0, after: () => () => {} };
    const root = createLogger({ sinks: [sink], renderedMessage: message, clock });
    const loggers = [root, root.forContext('In', 1).forContext('service', 'shop')];
    for (const [, text] of TEXTS) {
      for (const log of loggers) {
        for (const level of [Level.Information, Level.Warning]) {
          for (let i = 0; i < 3; i++) say(log, level, text);
        }
      }
    }
    return lines;
  }

  it.each([
    { format: 'json', message: true },
    { format: 'json', message: false },
    { format: 'ecs', message: true },
    { format: 'ecs', message: false },
  ] as const)('is that of a text with fields of which there are none: %j', (options) => {
    const alone = linesOf(options, (log, level, text) => log.write({ level, text }));
    const withNone = linesOf(options, (log, level, text) => log.write({ level, text, fields: {} }));
    expect(alone).toHaveLength(TEXTS.length * 12);
    expect(alone).toEqual(withNone);
  });
});
