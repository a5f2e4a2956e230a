import { systemClock } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { OpenBatch } from './open-batch.js';

const open = (): OpenBatch =>
  new OpenBatch({ action: 'create', batchSize: 1_000, batchBytes: 1e9, clock: systemClock });

describe('OpenBatch', () => {
  it('has an action line before each line, whether it comes as text or as bytes', () => {
    const lines = fc.array(
      fc.tuple(fc.string({ unit: 'grapheme', maxLength: 9_000 }), fc.boolean()),
    );
    fc.assert(
      fc.property(lines, (lines) => {
        const batch = open();
        let grown = 0;
        for (const [text, asBytes] of lines) {
          const bytes = Buffer.from(`${text}\nwhat was there before`);
          const length = Buffer.byteLength(text) + 1;
          grown += asBytes ? batch.addBytes(bytes, length) : batch.add(`${text}\n`);
        }
        const { body, count } = batch.take();
        const expected = lines.map(([text]) => `{"create":{}}\n${text}\n`).join('');
        expect(body.toString()).toBe(Buffer.from(expected).toString());
        expect([count, body.length]).toEqual([lines.length, grown]);
        expect([batch.count, batch.take().body.length]).toEqual([0, 0]);
      }),
    );
  });

  it('hands out bytes that the next lines leave alone', () => {
    const batch = open();
    batch.add('first\n');
    const { body } = batch.take();
    batch.add('other\n');
    expect(body.toString()).toBe('{"create":{}}\nfirst\n');
  });

  it('takes a line of many bytes', () => {
    const batch = open();
    const text = 'ä'.repeat(5_000_000);
    batch.add('a\n');
    batch.add(`${text}\n`);
    expect(batch.take().body.length).toBe(14 + 2 + 14 + 10_000_001);
    batch.add('b\n');
    expect(batch.take().body.toString()).toBe('{"create":{}}\nb\n');
  });
});
