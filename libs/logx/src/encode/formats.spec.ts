import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { customSink } from '../sinks/custom-sink.js';
import type { Format } from '../sinks/sink.js';
import type { TimeFormat } from './time-format.js';
import { TIME_FORMATS } from './time-format.js';

const AT = Date.UTC(2026, 10, 21, 3, 4, 5, 678);
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** What is written of the events that `log` logs. */
function written(
  format: Format,
  log: (logger: Logger) => void,
  options: LoggerOptions = {},
  color?: boolean,
): string {
  let text = '';
  const spec = customSink({ write: (line) => (text += line) }, { format });
  const sinks = [color === undefined ? spec : { ...spec, color }];
  log(createLogger({ clock: fakeClock(AT), level: 'verbose', ...options, sinks }));
  return text;
}

function object(...args: Parameters<typeof written>): Record<string, unknown> {
  return JSON.parse(written(...args)) as Record<string, unknown>;
}

const failed = Object.assign(new Error('card declined'), { stack: 'Error: card declined\n  at x' });

describe('the json format', () => {
  it('has the names of the specification', () => {
    expect(
      object('json', (log) => log.error(failed, 'Payment of {OrderId} failed', 'o-17', 'late'), {
        stackTrace: true,
        caller: true,
      }),
    ).toEqual({
      level: 'error',
      time: '2026-11-21T03:04:05Z',
      '@mt': 'Payment of {OrderId} failed',
      message: 'Payment of o-17 failed',
      OrderId: 'o-17',
      extra_0: 'late',
      error: 'card declined',
      stack: 'Error: card declined\n  at x',
      caller: expect.stringMatching(/formats\.spec\.ts:\d+$/),
    });
  });

  it.each([
    ['verbose', 'trace'],
    ['debug', 'debug'],
    ['information', 'info'],
    ['info', 'info'],
    ['warning', 'warn'],
  ] as const)('prints %s as %s', (method, name) => {
    expect(object('json', (log) => log[method]('x'))['level']).toBe(name);
  });

  it('leaves out the message and the time when it is told so', () => {
    const options = { renderedMessage: false, timestamp: false };
    expect(object('json', (log) => log.info('{A}', 1), options)).toEqual({
      level: 'info',
      '@mt': '{A}',
      A: 1,
    });
  });

  it.each<[TimeFormat, unknown]>([
    ['TimeRFC3339', '2026-11-21T03:04:05Z'],
    ['TimeRFC3339Ms', '2026-11-21T03:04:05.678Z'],
    ['TimeRFC3339Nano', '2026-11-21T03:04:05.678Z'],
    ['TimeDateTime', '2026-11-21 03:04:05'],
    ['TimeDateOnly', '2026-11-21'],
    ['TimeOnly', '03:04:05'],
    ['TimeKitchen', '3:04AM'],
    ['TimeUnix', 1795230245],
    ['TimeUnixMs', 1795230245678],
    ['TimeUnixMicro', 1795230245678000],
  ])('writes times as %s', (timeFormat, time) => {
    expect(object('json', (log) => log.info('x'), { timeFormat })['time']).toBe(time);
  });

  it('writes milliseconds in three digits, so that the lines of a second sort by time', () => {
    const times = [0, 5, 60, 67, 600, 678, 999].map((ms) => {
      const clock = fakeClock(Date.UTC(2026, 10, 21, 3, 4, 5, ms));
      const options = { timeFormat: 'TimeRFC3339Ms', clock } as const;
      return object('json', (log) => log.info('x'), options)['time'] as string;
    });
    expect(times).toEqual([
      '2026-11-21T03:04:05.000Z',
      '2026-11-21T03:04:05.005Z',
      '2026-11-21T03:04:05.060Z',
      '2026-11-21T03:04:05.067Z',
      '2026-11-21T03:04:05.600Z',
      '2026-11-21T03:04:05.678Z',
      '2026-11-21T03:04:05.999Z',
    ]);
    expect(times.toSorted()).toEqual(times);
  });

  it('writes epoch nanoseconds as a number with every digit', () => {
    const line = written('json', (log) => log.info('x'), { timeFormat: 'TimeUnixNano' });
    expect(line).toContain('"time":1795230245678000000,');
  });

  it('knows a text for each time format', () => {
    // Where the last digit is 0, all layouts differ.
    const clock = fakeClock(Date.UTC(2026, 10, 21, 3, 4, 5, 670));
    const lines = TIME_FORMATS.map((timeFormat) =>
      written('json', (log) => log.info('x'), { timeFormat, clock }),
    );
    expect(new Set(lines).size).toBe(TIME_FORMATS.length);
  });

  it('turns the hours of noon and midnight the way clocks do', () => {
    const at = (hour: number): unknown =>
      object('json', (log) => log.info('x'), {
        timeFormat: 'TimeKitchen',
        clock: fakeClock(Date.UTC(2026, 0, 1, hour)),
      })['time'];
    expect([at(0), at(12), at(13)]).toEqual(['12:00AM', '12:00PM', '1:00PM']);
  });

  it('writes an event field in place of one of the logger, and no key twice', () => {
    const line = written('json', (log) => log.forContext('A', 1).forContext('B', 1).info('{A}', 2));
    expect(line).toBe(
      '{"level":"info","time":"2026-11-21T03:04:05Z","A":2,"B":1,"@mt":"{A}","message":"2"}\n',
    );
  });

  it.each(['json', 'ecs'] as const)(
    'keeps the fields of loggers apart that log one template in turns (%s)',
    (format) => {
      const seen: unknown[] = [];
      const write = (line: string): unknown => seen.push(JSON.parse(line));
      const root = createLogger({ sinks: [customSink({ write }, { format })] });
      const loggers = [root.forContext('Of', 'a'), root.forContext('Of', 'b'), root];
      const turns = [0, 0, 0, 1, 0, 1, 1, 2, 2, 2, 0, 0];
      for (const turn of turns) loggers[turn]!.info('In turns {Turn}', turn);
      expect(seen).toEqual(
        turns.map((Turn) =>
          expect.objectContaining({
            Turn,
            message: `In turns ${Turn}`,
            ...[{ Of: 'a' }, { Of: 'b' }, {}][Turn],
          }),
        ),
      );
      expect(seen.filter((line) => 'Of' in (line as object))).toHaveLength(9);
    },
  );
});

describe.each(['json', 'ecs'] as const)('the %s format', (format) => {
  it('writes fields of any number of names, each with its value', () => {
    const names = Array.from({ length: 2_500 }, (_, i) => `f${'x'.repeat(i % 200)}${i}`);
    const text = written(format, (log) => {
      for (const name of [...names, ...names]) {
        const fields = { [name]: name, n: 1.5, none: null, wrong: NaN };
        log.write({ level: Level.Information, template: 'Say', fields });
      }
    });
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(2 * names.length);
    lines.forEach((line, i) => {
      const name = names[i % names.length]!;
      expect(line).toMatchObject({ [name]: name, n: 1.5, none: null, wrong: 'NaN' });
    });
  });
});

describe('the ecs format', () => {
  it('renames the fields as the specification says and passes arguments through', () => {
    expect(
      object('ecs', (log) => log.error(failed, 'Payment of {OrderId} failed', 'o-17'), {
        stackTrace: true,
        caller: true,
      }),
    ).toEqual({
      '@timestamp': '2026-11-21T03:04:05Z',
      'log.level': 'error',
      message: 'Payment of o-17 failed',
      OrderId: 'o-17',
      'error.message': 'card declined',
      'error.type': 'Error',
      'error.stack_trace': 'Error: card declined\n  at x',
      'log.origin.file.name': expect.stringMatching(/formats\.spec\.ts$/),
      'log.origin.file.line': expect.any(Number),
      'message_template.text': 'Payment of {OrderId} failed',
      'ecs.version': '8.11.0',
    });
  });

  it.each([
    [{}, '@timestamp log.level message ecs.version message_template.text A'],
    [{ timestamp: false }, 'log.level message ecs.version message_template.text A'],
    [{ renderedMessage: false }, '@timestamp log.level ecs.version message_template.text A'],
  ])('begins with time, level and message as ecs-logging wants: %j', (options, names) => {
    const event = object('ecs', (log) => log.info('{A}', 1), options);
    expect(Object.keys(event).join(' ')).toBe(names);
  });

  it.each<[string, (log: Logger) => void, object]>([
    ['service is service.name', (log) => log.named('shop').info('x'), { 'service.name': 'shop' }],
    ['logger is log.logger', (log) => log.info('{logger}', 'orders'), { 'log.logger': 'orders' }],
    [
      'an object keeps its name',
      (log) => log.forContext('service', { id: 1 }).info('x'),
      { service: { id: 1 } },
    ],
    [
      'the later of two that become one wins',
      (log) => log.forContext('service.name', 'a').named('b').info('x'),
      { 'service.name': 'b' },
    ],
    [
      'in a template, too',
      (log) => log.named('a').info('{service.name}', 'b'),
      { 'service.name': 'b' },
    ],
    [
      'and in what is left over',
      (log) => log.named('a').write({ level: 30, text: 'x', fields: { 'service.name': 'b' } }),
      { 'service.name': 'b' },
    ],
  ])('%s', (_, log, fields) => {
    expect(object('ecs', log)).toMatchObject(fields);
    const names = written('ecs', log).match(/"service\.name"|"log\.logger"/g) ?? [];
    expect(names.length).toBeLessThan(2);
  });

  it.each(['@timestamp', 'log.level', 'log', 'ecs.version', 'message_template', 'error.message'])(
    'keeps a field named %s apart from its own',
    (name) => {
      const fields = { [name]: 'spoofed', [`${name}_`]: 'other' };
      const event = object('ecs', (log) => log.forContextValues(fields).info('x'));
      expect(event).toMatchObject({ [`${name}_`]: 'spoofed', [`${name}__`]: 'other' });
      expect(event['log.level']).toBe('info');
    },
  );
});

describe('the otel format', () => {
  it('is a log record as the specification says', () => {
    const log = (logger: Logger): void =>
      logger
        .forContextValues({ trace_id: TRACE, span_id: SPAN, shop: 'b' })
        .error(failed, 'Payment of {OrderId} failed', 17);
    expect(object('otel', log, { stackTrace: true, caller: true })).toEqual({
      timeUnixNano: '1795230245678000000',
      observedTimeUnixNano: '1795230245678000000',
      severityNumber: 17,
      severityText: 'ERROR',
      body: { stringValue: 'Payment of 17 failed' },
      attributes: [
        { key: 'OrderId', value: { intValue: '17' } },
        { key: 'code.filepath', value: { stringValue: expect.stringMatching(/spec\.ts$/) } },
        { key: 'code.lineno', value: { intValue: expect.stringMatching(/^\d+$/) } },
        { key: 'exception.message', value: { stringValue: 'card declined' } },
        { key: 'exception.stacktrace', value: { stringValue: 'Error: card declined\n  at x' } },
        { key: 'log.template', value: { stringValue: 'Payment of {OrderId} failed' } },
        { key: 'shop', value: { stringValue: 'b' } },
      ],
      traceId: TRACE,
      spanId: SPAN,
    });
  });

  it.each([
    ['verbose', 1, 'TRACE'],
    ['debug', 5, 'DEBUG'],
    ['info', 9, 'INFO'],
    ['warning', 13, 'WARN'],
  ] as const)('has a severity for %s', (method, severityNumber, severityText) => {
    const record = object('otel', (log) => log[method]('x'));
    expect(record).toMatchObject({ severityNumber, severityText });
  });

  it('has a severity for errors and fatal errors', () => {
    const at = (level: 50 | 60): unknown =>
      object('otel', (log) => log.write({ level, text: 'x' }));
    expect(at(50)).toMatchObject({ severityNumber: 17, severityText: 'ERROR' });
    expect(at(60)).toMatchObject({ severityNumber: 21, severityText: 'FATAL' });
  });

  it.each<[string, unknown, object]>([
    ['a text', 'x"y', { stringValue: 'x"y' }],
    ['a safe integer', -5, { intValue: '-5' }],
    ['an unsafe integer', 2 ** 60, { doubleValue: 2 ** 60 }],
    ['a fraction', 1.5, { doubleValue: 1.5 }],
    ['no number', NaN, { doubleValue: 'NaN' }],
    ['an infinity', -Infinity, { doubleValue: '-Infinity' }],
    ['a bigint', 2n ** 62n, { intValue: String(2n ** 62n) }],
    ['a bigint beyond 64 bits', 2n ** 63n, { stringValue: String(2n ** 63n) }],
    ['a boolean', true, { boolValue: true }],
    ['nothing', null, {}],
    ['bytes', new Uint8Array([1, 2, 255]), { bytesValue: 'AQL/' }],
    ['a list', [1, 'a'], { arrayValue: { values: [{ intValue: '1' }, { stringValue: 'a' }] } }],
    [
      'an object',
      { a: { b: false } },
      {
        kvlistValue: {
          values: [
            {
              key: 'a',
              value: { kvlistValue: { values: [{ key: 'b', value: { boolValue: false } }] } },
            },
          ],
        },
      },
    ],
  ])('types %s', (_, value, typed) => {
    const record = object('otel', (log) => log.info('{Value}', value));
    expect(record['attributes']).toEqual([
      { key: 'Value', value: typed },
      { key: 'log.template', value: { stringValue: '{Value}' } },
    ]);
  });

  it('sorts attributes by key, from wherever they come', () => {
    const log = (logger: Logger): void =>
      logger.forContextValues({ z: 1, b: 1 }).write({
        level: 30,
        template: '{y} {a}',
        args: [1, 1],
        fields: { m: 1, B: 1 },
      });
    const keys = (object('otel', log)['attributes'] as { key: string }[]).map(({ key }) => key);
    expect(keys).toEqual(['B', 'a', 'b', 'log.template', 'm', 'y', 'z']);
  });

  it('sorts the same without further fields', () => {
    const log = (logger: Logger): void =>
      logger.forContextValues({ z: 1, b: 1 }).info('{y} {a} {none}', 1, 1);
    const keys = (object('otel', log)['attributes'] as { key: string }[]).map(({ key }) => key);
    expect(keys).toEqual(['a', 'b', 'log.template', 'y', 'z']);
  });

  it.each([
    ['too short', 'abc'],
    ['all zeros', '0'.repeat(32)],
    ['no text', 7],
  ])('leaves a trace_id that is none, %s, among the attributes', (_, id) => {
    const record = object('otel', (log) => log.info('{trace_id}', id));
    expect(record).not.toHaveProperty('traceId');
    expect(record['attributes']).toContainEqual(expect.objectContaining({ key: 'trace_id' }));
  });

  it('promotes the ids of a template and of further fields', () => {
    const template = object('otel', (log) => log.info('{trace_id}', TRACE));
    const fields = { span_id: SPAN };
    const extra = object('otel', (log) => log.write({ level: 30, text: 'x', fields }));
    expect([template['traceId'], extra['spanId']]).toEqual([TRACE, SPAN]);
  });

  it('has no attribute without a name, which OpenTelemetry does not allow', () => {
    const record = object('otel', (log) => log.forContextValues({ '': 1, _: 2 }).info('x'));
    expect(record['attributes']).toEqual([
      { key: '_', value: { intValue: '1' } },
      { key: '__', value: { intValue: '2' } },
      { key: 'log.template', value: { stringValue: 'x' } },
    ]);
  });

  it('keeps a field named as one of its own apart', () => {
    const record = object('otel', (log) => log.forContext('log.template', 'spoofed').info('x'));
    expect(record['attributes']).toEqual([
      { key: 'log.template', value: { stringValue: 'x' } },
      { key: 'log.template_', value: { stringValue: 'spoofed' } },
    ]);
  });

  it('leaves out the body and the times when it is told so', () => {
    const options = { renderedMessage: false, timestamp: false };
    expect(Object.keys(object('otel', (log) => log.info('x'), options))).toEqual([
      'severityNumber',
      'severityText',
      'attributes',
    ]);
  });
});

describe('the console format', () => {
  it('shows time, level, message and the fields that are not in the message', () => {
    const log = (logger: Logger): void =>
      logger.forContext('OrderId', 'o-17').info('{Count} items', 3, 'two words', [{ a: [1] }]);
    expect(written('console', log)).toBe(
      '2026-11-21T03:04:05Z INF 3 items OrderId=o-17 extra_0="two words" extra_1=[{"a":[1]}]\n',
    );
  });

  it('shows the error, and its stack indented', () => {
    const log = (logger: Logger): void => logger.error(failed, 'Payment failed');
    expect(written('console', log, { stackTrace: true })).toBe(
      '2026-11-21T03:04:05Z ERR Payment failed\n' +
        '    card declined\n' +
        '    Error: card declined\n      at x\n',
    );
  });

  it('shows the template and every field when messages are not rendered', () => {
    const options = { renderedMessage: false, timestamp: false };
    const log = (logger: Logger): void => logger.forContext('B', 2).warning('{A}', 1);
    expect(written('console', log, options)).toBe('WRN {A} B=2 A=1\n');
  });

  it('does not repeat a field of the logger that the message shows', () => {
    const log = (logger: Logger): void => logger.forContextValues({ A: 1, B: 2 }).info('{A}', 3);
    expect(written('console', log, { timestamp: false })).toBe('INF 3 B=2\n');
  });

  it('says where the call was', () => {
    const line = written('console', (log) => log.info('x'), { caller: true, timestamp: false });
    expect(line).toMatch(/^INF x \(.*formats\.spec\.ts:\d+\)\n$/);
  });

  it('escapes what would move the cursor, and indents further lines', () => {
    const log = (logger: Logger): void =>
      logger.forContext('a\u001bb', '\u009b2J').info('{A}', 'x\u001b[2K\r\n2026 ERR forged\u202e');
    expect(written('console', log, { timestamp: false })).toBe(
      'INF x\\u001b[2K\\u000d\n    2026 ERR forged\\u202e a\\u001bb=\\u009b2J\n',
    );
  });

  it('paints levels and names, with colours', () => {
    const log = (logger: Logger): void => logger.forContext('A', 1).error(failed, 'x');
    const text = written('console', log, {}, true);
    expect(text).toContain('\u001b[31mERR\u001b[0m x \u001b[2mA=\u001b[0m1');
    expect(written('console', log, {}, false)).not.toContain('\u001b');
  });
});
