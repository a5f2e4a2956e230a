import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLogger } from '../logger/create-logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { GO_LAYOUTS } from './go-layouts.fixture.js';
import type { Format } from '../sinks/sink.js';
import { isTimeFormatName, parseTimeFormat, type TimeFormat, TIME_FORMATS } from './time-format.js';

function lineAt(time: number, timeFormat: string, format: Format = 'json'): string {
  let line = '';
  const sinks = [customSink({ write: (each) => void (line = each) }, { format })];
  const clock = { now: () => time, after: () => () => {} };
  createLogger({ sinks, timeFormat: timeFormat as TimeFormat, clock }).info('x');
  return line;
}

function timeAt(time: number, timeFormat: string): unknown {
  return (JSON.parse(lineAt(time, timeFormat)) as { time: unknown }).time;
}

describe('a layout', () => {
  it.each(GO_LAYOUTS)('%j writes %d as Go does', (layout, ms, text) => {
    expect(timeAt(ms, layout)).toBe(text);
  });

  it.each([
    ['TimeRFC3339', '2006-01-02T15:04:05Z07:00'],
    ['TimeRFC3339Ms', '2006-01-02T15:04:05.000Z07:00'],
    ['TimeRFC3339Nano', '2006-01-02T15:04:05.999999999Z07:00'],
    ['TimeKitchen', '3:04PM'],
  ])('writes the same as its name: %s', (name, layout) => {
    const times = fc.integer({ min: -8e14, max: 2e14 });
    fc.assert(fc.property(times, (ms) => expect(timeAt(ms, name)).toBe(timeAt(ms, layout))));
  });

  it('is written anew within a second if it has parts of it', () => {
    const lines: string[] = [];
    let now = 5;
    const sinks = [customSink({ write: (line) => void lines.push(line) })];
    const log = createLogger({
      sinks,
      timeFormat: '05.000',
      clock: { now: () => now, after: () => () => {} },
    });
    log.info('x');
    now = 6;
    log.info('x');
    expect(lines.map((line) => (JSON.parse(line) as { time: string }).time)).toEqual([
      '00.005',
      '00.006',
    ]);
  });

  it('may have any text, which breaks no line', () => {
    const text = '"\n\u001b\u2028 2006';
    expect(timeAt(0, text)).toBe(text.replace('2006', '1970'));
    const shown = lineAt(0, text, 'console');
    expect(shown.split('\n')).toHaveLength(2);
    expect(shown).not.toContain('\u001b');
  });
});

describe('a text that is no layout', () => {
  it.each([
    '',
    'sundial',
    'TimeTea',
    'timerfc3339',
    'RFC3339',
    'RFC1123Z',
    'ISO8601',
    'YYYY-MM-DD',
    'yyyy-MM-dd HH:mm:ss',
    '%Y-%m-%d',
    'Month',
    '.009',
  ])('is refused: %j', (format) => {
    expect(() => parseTimeFormat(format)).toThrow(
      `logx: unknown time format "${format}"; use one of ${TIME_FORMATS.join(', ')}, or a layout that shows how Mon Jan 2 15:04:05 MST 2006 is written, such as "2006-01-02 15:04:05.000"`,
    );
    expect(() => createLogger({ timeFormat: format as TimeFormat })).toThrow(
      /timeFormat: unknown time format/,
    );
  });

  it('is each name of a time format', () => {
    expect(TIME_FORMATS.every(isTimeFormatName)).toBe(true);
    expect(isTimeFormatName('2006')).toBe(false);
  });
});
