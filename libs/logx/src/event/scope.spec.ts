import { describe, expect, it } from '@jest/globals';
import { Scope } from './scope.js';

const SPAN = { traceId: '1'.repeat(32), spanId: '2'.repeat(16) };

describe('a scope', () => {
  it('has its own value of a field in place of its parent’s, and those of its parent', () => {
    const child = new Scope(new Scope(undefined, ['a', 'b'], [1, 2]), ['b'], [3]);
    expect(['a', 'b', 'c'].map((field) => child.valueOf(field))).toEqual([1, 3, undefined]);
    expect([...child.all]).toEqual([
      ['a', 1],
      ['b', 3],
    ]);
  });

  it('is the same for all events of a span', () => {
    const scope = new Scope(undefined, ['a'], [1]);
    const inSpan = scope.inSpan(SPAN);
    expect(inSpan.valueOf('span_id')).toBe(SPAN.spanId);
    expect(scope.inSpan({ ...SPAN })).toBe(inSpan);
    expect(inSpan.inSpan(SPAN)).toBe(inSpan);
    const other = scope.inSpan({ ...SPAN, spanId: '3'.repeat(16) });
    expect(other.valueOf('span_id')).toBe('3'.repeat(16));
  });
});
