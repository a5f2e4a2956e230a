import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fieldValueOf } from '../value/field-value-of.js';
import { escapeJson, jsonOf } from '../value/json-text.js';
import { resolveLimits } from '../value/value-limits.js';
import { anyValue } from './anything.fixture.js';
import { writeJson } from './json-bytes.js';
import { LineBuffer } from './line-buffer.js';

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
});
