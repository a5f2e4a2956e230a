import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { WriteTrouble } from './write-trouble.js';

const failure = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

/** After how many milliseconds each of some failed writes is tried again; `ok` is one that is not. */
async function retries(writes: readonly string[]): Promise<number[]> {
  const clock = fakeClock();
  const pauses: number[] = [];
  let due: (() => void) | undefined;
  const trouble = new WriteTrouble(
    'test',
    () => {},
    clock,
    () => due?.(),
  );
  for (const write of writes) {
    if (write === 'ok') {
      trouble.progress();
      continue;
    }
    const begun = clock.now();
    const retry = { isDue: false };
    due = () => (retry.isDue = true);
    trouble.meet(failure(write), false);
    while (!retry.isDue) await clock.advance(1);
    pauses.push(clock.now() - begun);
  }
  trouble.end();
  return pauses;
}

describe('writes that fail', () => {
  it.each([
    ['EIO', 'ok', [100, 200, 400, 100]],
    ['EAGAIN', 'ok', [1, 2, 4, 1]],
  ])(
    'with %s are tried again after twice the time, and after progress as at first',
    async (code, ok, pauses) => {
      expect(await retries([code, code, code, ok, code])).toEqual(pauses);
    },
  );

  it('are tried again at the pace of what is wrong now', async () => {
    expect(await retries(['EAGAIN', 'EAGAIN', 'EIO', 'EIO', 'EAGAIN'])).toEqual([
      1, 2, 100, 200, 1,
    ]);
  });
});
