import { describe, expect, it } from '@jest/globals';
import { OpenCalls } from './open-calls.js';

describe('calls under way', () => {
  it('are open from their begin to their end, by path and method', () => {
    const calls = new OpenCalls();
    let changes = 0;
    const unsubscribe = calls.subscribe(() => (changes += 1));
    const call = calls.begin('/watch', 'get');
    expect([calls.isOpen('/watch', 'get'), calls.isOpen('/watch', 'post')]).toEqual([true, false]);
    calls.end('/watch', 'get', call);
    expect(calls.isOpen('/watch', 'get')).toBe(false);
    expect(changes).toBe(2);
    unsubscribe();
    calls.begin('/watch', 'get');
    expect(changes).toBe(2);
  });

  it('are stopped by path and method', () => {
    const calls = new OpenCalls();
    const [watch, list] = [calls.begin('/watch', 'get'), calls.begin('/list', 'get')];
    calls.stop('/watch', 'get');
    expect([watch.signal.aborted, list.signal.aborted]).toEqual([true, false]);
  });

  it('are stopped by the next one, whose end is its own', () => {
    const calls = new OpenCalls();
    const first = calls.begin('/watch', 'get');
    calls.begin('/watch', 'get');
    expect(first.signal.aborted).toBe(true);
    calls.end('/watch', 'get', first);
    expect(calls.isOpen('/watch', 'get')).toBe(true);
  });
});
