import { describe, expect, it } from '@jest/globals';
import { createLogger, customSink, type LogEvent, type LoggerOptions } from '@apix/logx/core';
import { TraceFlags, trace } from '@opentelemetry/api';
import fc from 'fast-check';
import { hrTimeOf, translateEvent } from './event-translator.js';
import { translateLine } from './line-translator.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** What a logger makes of a call: the event, and its line in the `json` format. */
function logged(
  log: (logger: ReturnType<typeof createLogger>) => void,
  options: LoggerOptions = {},
) {
  let event: LogEvent | undefined;
  let line = '';
  const logger = createLogger({
    level: 'verbose',
    timeFormat: 'TimeRFC3339Nano',
    ...options,
    sinks: [
      customSink({ emit: (one) => (event = one) }),
      customSink({ write: (text) => (line = text) }),
    ],
  });
  log(logger);
  return { event: event!, line };
}

describe('the record of an event', () => {
  it.each([
    ['verbose', 1, 'TRACE'],
    ['debug', 5, 'DEBUG'],
    ['information', 9, 'INFO'],
    ['warning', 13, 'WARN'],
  ] as const)('has the severity of %s', (level, severityNumber, severityText) => {
    const { event } = logged((logger) => logger[level]('x'));
    expect(translateEvent(event, {})).toMatchObject({ severityNumber, severityText });
  });

  it('has the error, its stack and the caller under the names of the conventions', () => {
    const { event } = logged(
      (logger) => logger.error(new Error('disk full'), 'Saving {File}', 'a.txt'),
      { stackTrace: true, caller: true },
    );
    const { attributes, severityNumber, body } = translateEvent(event, {});
    expect([severityNumber, body]).toEqual([17, 'Saving a.txt']);
    expect(attributes).toEqual({
      File: 'a.txt',
      'log.template': 'Saving {File}',
      'exception.message': 'disk full',
      'exception.stacktrace': expect.stringContaining('Error: disk full\n    at '),
      'code.filepath': expect.stringContaining('event-translator.spec.ts'),
      'code.lineno': expect.any(Number),
    });
  });

  it('has typed values, and nothing that the SDK does not know', () => {
    const { event } = logged((logger) =>
      logger.information(
        '{Int} {Float} {Flag} {Null} {Bytes} {List} {Map} {Big} {Huge}',
        1,
        1.5,
        true,
        null,
        new Uint8Array([1, 2]),
        [1, 'a', [2n]],
        { a: { b: 2n ** 60n } },
        7n,
        2n ** 70n,
      ),
    );
    const { attributes } = translateEvent(event, {});
    expect(attributes).toMatchObject({
      Int: 1,
      Float: 1.5,
      Flag: true,
      Null: null,
      Bytes: new Uint8Array([1, 2]),
      List: [1, 'a', [2]],
      Map: { a: { b: '1152921504606846976' } },
      Big: 7,
      Huge: '1180591620717411303424',
    });
  });

  it('lets fields win over static attributes, and none over what the logger writes', () => {
    const { event } = logged((logger) =>
      logger
        .forContextValues({ env: 'prod', 'log.template': 'spoofed', 'exception.message_': 'odd' })
        .information('x'),
    );
    const fixed = { env: 'test', region: 'eu', 'log.template': 'static' };
    expect(translateEvent(event, fixed).attributes).toEqual({
      env: 'prod',
      region: 'eu',
      'log.template': 'x',
      'log.template_': 'spoofed',
      'exception.message__': 'odd',
    });
  });

  it('has no attribute without a name', () => {
    const { event } = logged((logger) => logger.forContextValues({ '': 1, _: 2 }).information('x'));
    expect(translateEvent(event, { _: 'static' }).attributes).toEqual({
      'log.template': 'x',
      _: 1,
      __: 2,
    });
  });

  it('has the trace context of its fields, in place of attributes', () => {
    const { event } = logged((logger) =>
      logger.forContextValues({ trace_id: TRACE, span_id: SPAN }).information('x'),
    );
    expect(translateEvent(event, {})).toMatchObject({
      spanContext: { traceId: TRACE, spanId: SPAN, traceFlags: TraceFlags.NONE },
      attributes: { 'log.template': 'x' },
    });
    expect(Object.keys(translateEvent(event, {}).attributes)).toEqual(['log.template']);
  });

  it.each([
    ['is none', { trace_id: 'abc', span_id: SPAN }],
    ['is all zeros', { trace_id: '0'.repeat(32), span_id: SPAN }],
    ['lacks its span', { trace_id: TRACE }],
    ['is no text', { trace_id: 7, span_id: SPAN }],
  ])('keeps a trace context that %s as attributes', (_, ids) => {
    const { event } = logged((logger) => logger.forContextValues(ids).information('x'));
    const { spanContext, attributes } = translateEvent(event, {});
    expect(spanContext).toBeUndefined();
    expect(attributes).toEqual({ ...ids, 'log.template': 'x' });
  });

  it('keeps a field called __proto__', () => {
    const { event } = logged((logger) => logger.forContext('__proto__', { a: 1 }).information('x'));
    const { attributes } = translateEvent(event, {});
    expect(Object.getOwnPropertyDescriptor(attributes, '__proto__')?.value).toEqual({ a: 1 });
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
  });

  it('is the record of its line too, whatever is logged', () => {
    const text = fc.string({ unit: 'grapheme' });
    const value = fc.oneof(
      text,
      fc.integer(),
      fc.boolean(),
      fc.array(fc.integer()),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.dictionary(text, value), text, fc.boolean(), (fields, message, fails) => {
        const { event, line } = logged((logger) => {
          const child = logger.forContextValues(fields);
          if (fails) child.error(new Error(message), 'It {Failed}', message);
          else child.information('It {Went}', message);
        });
        const { spanContext: _, ...ofEvent } = translateEvent(event, { a: 'static' });
        const { spanContext: __, ...ofLine } = translateLine(
          line,
          'TimeRFC3339Nano',
          { a: 'static' },
          0,
        );
        expect(ofLine).toEqual(ofEvent);
      }),
    );
  });

  it('has its time in seconds and nanoseconds', () => {
    expect(hrTimeOf(1_700_000_000_123)).toEqual([1_700_000_000, 123_000_000]);
    expect(hrTimeOf(1.5)).toEqual([0, 1_500_000]);
    expect(trace.getActiveSpan()).toBeUndefined();
  });
});
