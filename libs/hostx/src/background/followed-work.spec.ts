import type { WorkScope } from '@apix/contracts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { FollowedWork } from './followed-work.js';

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeEach(() => {
  unhandled.splice(0);
  process.on('unhandledRejection', note);
});
afterEach(() => void process.off('unhandledRejection', note));

/** As an app may write it: what it returns is a promise of its own. */
const AWAITING: WorkScope = {
  run: <T>(_kind: string, _name: string, fn: () => T): T =>
    Promise.resolve(fn()).then((value) => value) as T,
};

it.each<[string, () => unknown]>([
  ['rejects', () => Promise.reject(new Error('no stamps'))],
  [
    'throws',
    () => {
      throw new Error('no stamps');
    },
  ],
])('a run that %s in a scope that awaits it fails for its caller alone', async (_, fn) => {
  const work = new FollowedWork({ name: 'mail', kind: 'cron', schedule: 'now' }, () => [AWAITING]);
  await expect((async () => await work.run('', fn))()).rejects.toThrow('no stamps');
  // Node tells of what nobody has handled after a turn.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
  expect([work.failed, work.underWay]).toEqual([1, []]);
});
