import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { actionLine, type Batch, halvesOf, joined, pickEvents } from './batch.js';

const ACTION = actionLine('index');
const events = fc.array(fc.json({ noUnicodeString: false }), { minLength: 2, maxLength: 40 });
const batchOfEvents = (lines: readonly string[]): Batch => ({
  body: Buffer.from(lines.map((line) => `${ACTION}${line}\n`).join('')),
  count: lines.length,
});
const text = ({ body }: Batch): string => body.toString();

describe('a batch', () => {
  it('falls into halves that are the whole, and can be joined again', () => {
    fc.assert(
      fc.property(events, (lines) => {
        const batch = batchOfEvents(lines);
        const [left, right] = halvesOf(batch);
        const middle = lines.length >> 1;
        expect(text(left)).toBe(text(batchOfEvents(lines.slice(0, middle))));
        expect(text(right)).toBe(text(batchOfEvents(lines.slice(middle))));
        expect([left.count, right.count]).toEqual([middle, lines.length - middle]);
        const whole = joined(left, right);
        expect([text(whole), whole.count]).toEqual([text(batch), lines.length]);
      }),
    );
  });

  it('gives the events of some positions', () => {
    fc.assert(
      fc.property(events, fc.infiniteStream(fc.boolean()), (lines, wanted) => {
        const positions = lines.flatMap((_, i) => (wanted.next().value ? [i] : []));
        const picked = pickEvents(batchOfEvents(lines), positions);
        const expected = positions.map((i) => `${ACTION}${lines[i]!}\n`).join('');
        expect([text(picked), picked.count]).toEqual([expected, positions.length]);
      }),
    );
  });
});
