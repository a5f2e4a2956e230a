import { expect, it } from '@jest/globals';
import type { ProcessRow } from '../section-views.js';
import { ProcessWatch } from './process-watch.js';

const row = (index: number, restarts: number, lastEnd: string | null = null): ProcessRow => ({
  index,
  pid: 1,
  state: 'ready',
  since: 0,
  restarts,
  lastEnd,
  rss: 1,
});

it('notices each process that was restarted because it had ended, also before the first look, and once', async () => {
  let rows = [row(1, 0), row(2, 3, 'was ended by SIGKILL')];
  const seen: unknown[] = [];
  const watch = new ProcessWatch(
    () => Promise.resolve(rows),
    ({ index, restarts }) => seen.push([index, restarts]),
  );
  await watch.refresh();
  await watch.refresh();
  expect(seen).toEqual([[2, 3]]);
  rows = [row(1, 1, 'exited with code 1'), row(2, 3, 'was ended by SIGKILL')];
  await watch.refresh();
  expect(seen).toEqual([
    [2, 3],
    [1, 1],
  ]);
  expect(watch.rows).toBe(rows);
});
