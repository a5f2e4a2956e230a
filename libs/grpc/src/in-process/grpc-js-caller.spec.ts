import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type CallOptions, propagate } from '@grpc/grpc-js';
import { deadlineOf, followParent } from './grpc-js-caller.js';

const NOW = 1_000_000;

/** The call that another one is made for, which ends in a second. */
function part(flags?: number): Required<Pick<CallOptions, 'parent'>> & CallOptions {
  const parent = Object.assign(new EventEmitter(), { getDeadline: () => NOW + 1_000 });
  return {
    parent: parent as unknown as NonNullable<CallOptions['parent']>,
    ...(flags !== undefined && { propagate_flags: flags }),
  };
}

const { DEADLINE, CANCELLATION, DEFAULTS, CENSUS_STATS_CONTEXT } = propagate;

describe('a call that is part of another one', () => {
  it.each([
    ['by default', undefined, true, true],
    ['where it asks for everything', DEFAULTS, true, true],
    ['where it asks for the deadline alone', DEADLINE, true, false],
    ['where it asks for cancellation alone', CANCELLATION, false, true],
    ['where it asks for something else', CENSUS_STATS_CONTEXT, false, false],
    ['where it asks for nothing', 0, false, false],
  ])('takes over what it asks for: %s', (_, flags, hasDeadline, isCancelled) => {
    const options = part(flags);
    expect(deadlineOf(options)).toBe(hasDeadline ? NOW + 1_000 : Infinity);
    let cancelled = 0;
    followParent(options, () => (cancelled += 1));
    const parent = options.parent as unknown as EventEmitter;
    parent.emit('cancelled');
    parent.emit('cancelled');
    expect(cancelled).toBe(isCancelled ? 1 : 0);
  });

  it('keeps its own deadline where that is earlier', () => {
    expect(deadlineOf({ ...part(), deadline: NOW + 500 })).toBe(NOW + 500);
    expect(deadlineOf({ ...part(), deadline: NOW + 5_000 })).toBe(NOW + 1_000);
  });
});

describe('a call on its own', () => {
  it('has no end unless one is set', () => {
    followParent({}, () => {});
    expect(deadlineOf({})).toBe(Infinity);
    expect(deadlineOf({ deadline: NOW + 500 })).toBe(NOW + 500);
  });
});
