import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';

describe.each(['json', 'ecs', 'otel'] as const)('a line in the format %s', (format) => {
  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['-0', -0],
    ['1e-7', 1e-7],
    ['1e+21', 1e21],
    ['0.1', 0.1],
  ])('is JSON with %s in its message and its field', (text, number) => {
    const lines: string[] = [];
    const sink = Object.assign(collectingSink(), {
      format,
      open: () => ({ write: (line: string) => void lines.push(line) }),
    });
    createLogger({ sinks: [sink] }).information('{Ratio} of {Words}', number, 'all');
    const [line = ''] = lines;
    const parsed = JSON.parse(line) as Record<string, unknown>;
    const shown = number === 0 ? '0' : text;
    expect(JSON.stringify(parsed)).toContain(`${shown} of all`);
  });
});
