import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { BoundedQueue } from './bounded-queue.js';

describe('BoundedQueue', () => {
  it('keeps its order and both bounds, whatever is pushed and taken', () => {
    const step = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant('shift' as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new BoundedQueue<number>(5, 100);
        const model: number[] = [];
        for (const next of steps) {
          if (next === 'shift') expect(queue.shift()).toBe(model.shift());
          else {
            const bytes = model.reduce((sum, size) => sum + size, next);
            const fits = model.length === 0 || (model.length < 5 && bytes <= 100);
            expect(queue.push(next, next)).toBe(fits);
            model.push(...(fits ? [next] : []));
          }
          expect(queue).toHaveLength(model.length);
        }
        expect(queue.clear()).toBe(model.length);
      }),
    );
  });

  it.each([
    ['items', 5, 1_000, 10, 5],
    ['bytes', 500, 1_000, 10, 100],
  ])('takes as many %s as it may hold, and no more', (_what, maxItems, maxBytes, bytes, many) => {
    const queue = new BoundedQueue<number>(maxItems, maxBytes);
    const taken = Array.from({ length: many + 3 }, (_, item) => queue.push(item, bytes));
    expect(taken.filter(Boolean)).toHaveLength(many);
    queue.shift();
    expect(queue.push(many, bytes)).toBe(true);
    expect(queue.push(many, bytes)).toBe(false);
  });

  it('lets go of what was taken, also where it is never empty', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const queue = new BoundedQueue<object>(10, 10_000);
    queue.push({}, 1);
    const taken: WeakRef<object>[] = [];
    for (let count = 0; count < 5_000; count += 1) {
      queue.push({}, 1);
      taken.push(new WeakRef(queue.shift()!));
    }
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(taken.filter((each) => each.deref() !== undefined).length).toBeLessThan(2_000);
    // So that the queue itself is still there.
    expect(queue).toHaveLength(1);
  });

  it('takes a single item of any size', () => {
    const queue = new BoundedQueue<string>(5, 100);
    expect(queue.push('huge', 1_000)).toBe(true);
    expect(queue.push('small', 1)).toBe(false);
  });
});
