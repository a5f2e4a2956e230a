import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger, LogRequest } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { customSink } from '../sinks/custom-sink.js';
import type { Format } from '../sinks/sink.js';
import {
  anyName,
  anyRedaction,
  anyTemplate,
  anyValue,
  HOSTILE,
  valuesOf,
} from './anything.fixture.js';
import { duplicateKeys } from './duplicate-keys.fixture.js';

const OBJECT_FORMATS: readonly Format[] = ['json', 'ecs', 'otel'];

/** The line of each format of one event; none of them may be missing. */
function linesOf(
  log: (logger: Logger) => void,
  options: LoggerOptions = {},
): Record<Format, string> {
  const lines: Partial<Record<Format, string>> = {};
  const failures: Error[] = [];
  const asBytes: Partial<Record<Format, string>> = {};
  const sinks = [...OBJECT_FORMATS, 'console' as const].flatMap((format) => {
    const write = (line: string): unknown => (lines[format] = line);
    const writeBytes = (bytes: Buffer, length: number): unknown =>
      (asBytes[format] = bytes.toString('utf8', 0, length));
    return [customSink({ write }, { format }), customSink({ write, writeBytes }, { format })];
  });
  const errorHandler = (error: Error): unknown => failures.push(error);
  log(createLogger({ sinks, errorHandler, stackTrace: true, ...options }));
  expect(failures).toEqual([]);
  expect(asBytes).toEqual({ json: lines.json, ecs: lines.ecs });
  return lines as Record<Format, string>;
}

function check(lines: Record<Format, string>): void {
  for (const format of OBJECT_FORMATS) {
    const line = lines[format];
    expect(line.endsWith('}\n')).toBe(true);
    expect(line.slice(0, -1)).not.toContain('\n');
    expect(JSON.parse(line)).toBeInstanceOf(Object);
    expect(duplicateKeys(line)).toEqual([]);
    expect(line).not.toMatch(/\p{Surrogate}/u);
  }
  const { attributes } = JSON.parse(lines.otel) as {
    attributes: { key: string; value: unknown }[];
  };
  const keys = attributes.map(({ key }) => key);
  expect(keys).toEqual([...new Set(keys)].toSorted());
  expect(lines.console.endsWith('\n')).toBe(true);
  const [, ...further] = lines.console.slice(0, -1).split('\n');
  expect(further.filter((line) => !line.startsWith('    '))).toEqual([]);
}

describe('a line is valid JSON without a key twice', () => {
  it.each(Object.entries(HOSTILE))('with %s as an argument, a field and an error', (_, make) => {
    check(
      linesOf((log) =>
        log.info('{Value} {@Whole} {$Text} {Wide,9:.2f}', make(), make(), make(), make()),
      ),
    );
    check(linesOf((log) => log.forContext('Value', make()).error(make(), 'x', make())));
  });

  it('whatever is logged', () => {
    const fields = fc.dictionary(anyName(), anyValue(), { maxKeys: 4 });
    const event = fc.record({
      outer: fields,
      inner: fields,
      fields,
      template: anyTemplate(),
      args: fc.array(anyValue(), { maxLength: 5 }),
      error: anyValue(),
      level: fc.constantFrom(...Object.values(Level)),
    });
    const options = fc.record({
      caller: fc.boolean(),
      renderedMessage: fc.boolean(),
      timestamp: fc.boolean(),
      redact: fc.option(anyRedaction(), { nil: undefined }),
      limits: fc.record({
        depth: fc.integer({ min: 0, max: 12 }),
        items: fc.nat(20),
        text: fc.oneof(fc.nat(20), fc.constant(Infinity)),
      }),
    });
    fc.assert(
      fc.property(event, options, ({ outer, inner, ...thunks }, anyOptions) => {
        const { level, template } = thunks;
        const request = (): LogRequest => ({
          level,
          template,
          fields: valuesOf(thunks.fields),
          args: thunks.args.map((make) => make()),
          error: thunks.error(),
        });
        const log = (logger: Logger): void =>
          logger
            .forContextValues(valuesOf(outer))
            .forContextValues(valuesOf(inner))
            .write(request());
        check(linesOf(log, { ...anyOptions, level: 'verbose' }));
      }),
      { numRuns: 400 },
    );
  });

  it('whatever is bound to a pino child and logged with it', () => {
    const call = fc.record({
      // pino itself refuses bindings without a prototype.
      bindings: fc.dictionary(anyName(), fc.jsonValue(), { noNullPrototype: true }),
      fields: fc.dictionary(anyName(), anyValue()),
    });
    fc.assert(
      fc.property(call, ({ bindings, fields }) => {
        check(linesOf((log) => log.pino.child(bindings).info(valuesOf(fields), 'x')));
      }),
      { numRuns: 100 },
    );
  });

  it('with a text of 10 MB, in full or truncated', () => {
    const text = '"\né\u{1f600}'.repeat(2_000_000);
    const whole = linesOf((log) => log.info('{Text}', text));
    check(whole);
    expect((JSON.parse(whole.json) as { Text: string }).Text === text).toBe(true);
    const cut = linesOf((log) => log.info('{Text}', text), { limits: { text: 1_001 } });
    check(cut);
    expect(cut.json.length).toBeLessThan(5_000);
  });

  it('with the fields of the event itself, which nothing else can pass for', () => {
    fc.assert(
      fc.property(fc.dictionary(anyName(), anyValue()), anyTemplate(), (thunks, template) => {
        const fields = valuesOf(thunks);
        const lines = linesOf((log) =>
          log.forContextValues(fields).write({ level: 40, template, fields }),
        );
        const json = JSON.parse(lines.json) as Record<string, unknown>;
        const ecs = JSON.parse(lines.ecs) as Record<string, unknown>;
        const otel = JSON.parse(lines.otel) as Record<string, unknown>;
        expect([json['level'], ecs['log.level'], otel['severityText']]).toEqual([
          'warn',
          'warn',
          'WARN',
        ]);
        expect([json['@mt'], ecs['message_template.text']]).toEqual([template, template]);
        expect([json['error'], json['stack'], ecs['error.message']]).toEqual(
          Array(3).fill(undefined),
        );
      }),
    );
  });
});
