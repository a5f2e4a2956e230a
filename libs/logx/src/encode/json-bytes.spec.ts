import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLogger } from '../logger/create-logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { fieldValueOf } from '../value/field-value-of.js';
import { escapeJson, jsonOf } from '../value/json-text.js';
import { resolveLimits } from '../value/value-limits.js';
import { ValueReader } from '../value/value-reader.js';
import { anyName, anyValue, valuesOf } from './anything.fixture.js';
import { writeJson } from './json-bytes.js';
import { LineBuffer } from './line-buffer.js';

/** Objects in each other, often of the same few shapes, with members that are not there. */
function anyRecord(): fc.Arbitrary<() => unknown> {
  const member = fc.oneof(
    anyValue(),
    fc.constant(() => undefined),
  );
  const record = fc.dictionary(anyName(), member, { maxKeys: 5 });
  return fc.tuple(record, record).map(([outer, inner]) => () => {
    const [first, second, third] = [valuesOf(inner), valuesOf(inner), valuesOf(inner)];
    return { ...valuesOf(outer), first, list: [second, third, [first]], twice: first };
  });
}

const anyLimits = fc.record({
  depth: fc.integer({ min: 0, max: 6 }),
  items: fc.nat(40),
  text: fc.oneof(fc.nat(8), fc.constant(Infinity)),
});

describe('writeJson', () => {
  it('writes the JSON of any value, which can be written again inside of a JSON string', () => {
    fc.assert(
      fc.property(anyValue(), (make) => {
        const value = fieldValueOf(make(), resolveLimits({ items: 100 }));
        const json = Buffer.from(jsonOf(value));
        const line = new LineBuffer();
        writeJson(value, line);
        expect(line.bytes.subarray(0, line.end)).toEqual(json);
        line.addAgainEscaped(0, line.end);
        const escaped = Buffer.from(escapeJson(json.toString()));
        expect(line.bytes.subarray(json.length, line.end)).toEqual(escaped);
      }),
      { numRuns: 150 },
    );
  });

  it('writes of what was read what it writes of the field value, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(anyRecord(), anyValue()), anyLimits, (make, limits) => {
        const value = make();
        const expected = jsonOf(fieldValueOf(value, limits));
        // From the second time on an object has a shape.
        for (let i = 0; i < 3; i++) {
          const line = new LineBuffer();
          writeJson(new ValueReader(limits).take(value), line);
          expect(line.toString()).toBe(expected);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a line with objects', () => {
  it.each(['json', 'ecs', 'otel', 'console'] as const)(
    'is in %s the same where objects are copied for redaction',
    (format) => {
      const linesOf = (
        redact: boolean,
      ): { lines: string[]; log: ReturnType<typeof createLogger> } => {
        const lines: string[] = [];
        const sink = customSink({ write: (line) => void lines.push(line) }, { format });
        const clock = { now: () => 0, after: () => () => {} };
        const options = { sinks: [sink], clock, ...(redact && { redact: ['neverThere.x'] }) };
        return { lines, log: createLogger(options) };
      };
      const [shortly, copied] = [linesOf(false), linesOf(true)];
      fc.assert(
        fc.property(anyRecord(), (make) => {
          for (const { log } of [shortly, copied]) {
            log.info({ Value: make() }, 'Said {Other}', make());
            log.info(make(), 'Said');
          }
        }),
        { numRuns: 60 },
      );
      const differing = shortly.lines.find((line, i) => line !== copied.lines[i]);
      expect([differing, shortly.lines.length]).toEqual([undefined, copied.lines.length]);
    },
  );
});
