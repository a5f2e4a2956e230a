import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { statusText } from './status-text.js';

const HALF = '\ud83d';

describe('a status text', () => {
  it.each([
    ['of letters', 'there is no orders/1'],
    ['of 4,096 letters', 'x'.repeat(4_096)],
    ['of whole surrogate pairs', '😀'.repeat(341)],
    ['with what is percent-encoded', 'é % \n \u0000'],
    ['that is empty', ''],
  ])('%s stays as it is', (_, text) => {
    expect(statusText(text)).toBe(text);
  });

  it.each([
    ['a lone high surrogate', `no ${HALF}`, 'no \ufffd'],
    ['a lone low surrogate', '\ude00 no', '\ufffd no'],
    ['a number', 7, ''],
    ['undefined', undefined, ''],
    ['an object that cannot be text', { toString: null }, ''],
  ])('that is, or has, %s becomes one that can be sent', (_, value, sent) => {
    expect(statusText(value)).toBe(sent);
  });

  it.each([
    ['letters', 'x'.repeat(100_000), `${'x'.repeat(4_087)}…`],
    ['pairs, and never inside one', `x${'😀'.repeat(1_000)}`, `x${'😀'.repeat(340)}…`],
    ['lone surrogates', HALF.repeat(5_000), `${'\ufffd'.repeat(454)}…`],
  ])('that is too long is cut between two characters: %s', (_, text, sent) => {
    expect(statusText(text)).toBe(sent);
  });

  it('can be percent-encoded into at most 4,096 characters, for any text', () => {
    const anyText = fc.oneof(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((u) => String.fromCharCode(u)) }),
      fc.string({ unit: 'binary', minLength: 300, maxLength: 6_000 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const sent = statusText(text);
        expect(encodeURI(sent).length).toBeLessThanOrEqual(4_096);
        const isSound = text.isWellFormed() && encodeURI(text).length <= 4_096;
        expect(sent === text).toBe(isSound);
      }),
    );
  });
});
