import { describe, expect, it } from '@jest/globals';
import { createLogger, customSink, TIME_FORMATS, type TimeFormatName } from '@apix/logx/core';
import { timeOf } from './line-time.js';
import { translateLine } from './line-translator.js';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const translate = (line: string, format: TimeFormatName = 'TimeRFC3339') =>
  translateLine(line, format, {}, NOW);

describe('the record of a line', () => {
  it('has what the event had', () => {
    const line = JSON.stringify({
      level: 'warn',
      time: '2026-11-21T11:00:00Z',
      '@mt': 'Late by {Minutes}',
      message: 'Late by 3',
      Minutes: 3,
      error: 'boom',
      stack: 'Error: boom',
      caller: '/srv/app.ts:12',
    });
    expect(translate(line)).toEqual({
      time: [Date.UTC(2026, 10, 21, 11) / 1_000, 0],
      severityNumber: 13,
      severityText: 'WARN',
      body: 'Late by 3',
      attributes: {
        Minutes: 3,
        'log.template': 'Late by {Minutes}',
        'exception.message': 'boom',
        'exception.stacktrace': 'Error: boom',
        'code.filepath': '/srv/app.ts',
        'code.lineno': 12,
      },
      spanContext: undefined,
    });
  });

  it('keeps a level, a time, a message and a caller that are none as attributes', () => {
    const line = '{"level":"loud","time":"soon","message":7,"caller":"nobody"}';
    expect(translate(line)).toEqual({
      time: undefined,
      severityNumber: undefined,
      severityText: undefined,
      body: undefined,
      attributes: { level: 'loud', time: 'soon', message: 7, 'code.filepath': 'nobody' },
      spanContext: undefined,
    });
  });

  it.each([
    ['not json', 'not JSON'],
    ['', 'not JSON'],
    ['[1]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['"text"', 'not a JSON object'],
  ])('is none for %j', (line, message) => {
    expect(() => translate(line)).toThrow(message);
  });
});

describe('the time of a line', () => {
  it.each(TIME_FORMATS)('is what the logger wrote as %s', (timeFormat) => {
    const now = Date.UTC(2026, 10, 21, 9, 5, 7, 250);
    let line = '';
    const clock = { now: () => now, after: () => () => {} };
    const sinks = [customSink({ write: (text) => (line = text) })];
    createLogger({ sinks, timeFormat, clock }).information('x');
    const { time } = translateLine(line, timeFormat, {}, now);
    const written = time![0] * 1_000 + time![1] / 1e6;
    const unit: Partial<Record<TimeFormatName, number>> = {
      TimeRFC3339Ms: 1,
      TimeRFC3339Nano: 1,
      TimeUnixMs: 1,
      TimeUnixMicro: 1,
      TimeUnixNano: 1,
      TimeKitchen: 60_000,
      TimeDateOnly: 86_400_000,
    };
    expect(written).toBe(now - (now % (unit[timeFormat] ?? 1_000)));
  });

  it.each<[unknown, TimeFormatName, [number, number] | undefined]>([
    ['2026-11-21T10:00:00.123456789+02:00', 'TimeRFC3339Nano', [1_795_248_000, 123_456_789]],
    ['2026-11-21T10:00:00.1234567891Z', 'TimeRFC3339', [1_795_255_200, 123_456_789]],
    [1_795_255_200.5, 'TimeUnix', [1_795_255_200, 500_000_000]],
    [1_795_255_200_123_456, 'TimeUnixMicro', [1_795_255_200, 123_456_000]],
    [999.9999999, 'TimeUnix', [1_000, 0]],
    ['11:59:59', 'TimeOnly', [NOW / 1_000 - 1, 0]],
    ['12:00:01', 'TimeOnly', [NOW / 1_000 - 86_399, 0]],
    ['12:00AM', 'TimeKitchen', [NOW / 1_000 - 43_200, 0]],
    ['12:00PM', 'TimeKitchen', [NOW / 1_000, 0]],
    ['13:00PM', 'TimeKitchen', undefined],
    ['0:30AM', 'TimeKitchen', undefined],
    ['24:00:00', 'TimeOnly', undefined],
    ['2026-13-01T00:00:00Z', 'TimeRFC3339', undefined],
    ['2026-11-21', 'TimeRFC3339', undefined],
    ['2026-11-21T10:00:00', 'TimeRFC3339', undefined],
    [1_795_255_200, 'TimeRFC3339', undefined],
    ['1795255200', 'TimeUnix', undefined],
    [-1, 'TimeUnix', undefined],
    [null, 'TimeUnix', undefined],
    [undefined, 'TimeRFC3339', undefined],
  ])('%j as %s is %j', (value, format, time) => {
    expect(timeOf(value, format, NOW)).toEqual(time);
  });
});
