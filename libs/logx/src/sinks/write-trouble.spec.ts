import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { WriteTrouble } from './write-trouble.js';

describe('an outlet that takes no bytes', () => {
  it.each([
    ['ENOSPC', 100],
    ['EAGAIN', 1],
  ])(
    'with %s is tried again after %i ms, then twice that, and after any progress as at first',
    async (code, firstMs) => {
      const clock = fakeClock();
      let tries = 0;
      const trouble = new WriteTrouble(
        'test outlet',
        () => {},
        clock,
        () => void tries++,
      );
      const error = Object.assign(new Error(code), { code });
      const triedAfter = async (ms: number): Promise<void> => {
        const before = tries;
        trouble.failed(error, false);
        await clock.advance(ms - 1);
        expect(tries).toBe(before);
        await clock.advance(1);
        expect(tries).toBe(before + 1);
      };
      await triedAfter(firstMs);
      await triedAfter(2 * firstMs);
      trouble.progress();
      await triedAfter(firstMs);
    },
  );
});
