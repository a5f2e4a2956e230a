import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../rows.js';
import { processRows } from './process-rows.js';

const texts = (rows: readonly Row[]): string[][] =>
  rows.map(({ cells }) => cells.map(({ text }) => text));

describe('the table of processes', () => {
  it('shows all processes, and which of them has answered', () => {
    const one = { restarts: 0, lastEnd: null, since: 0, rss: 1_048_576 };
    const processes = [
      { ...one, index: 1, pid: 7, state: 'ready' as const },
      { ...one, index: 1, pid: 8, state: 'starting' as const },
      {
        ...one,
        index: 2,
        pid: null,
        state: 'ended' as const,
        restarts: 3,
        rss: null,
        lastEnd: 'was ended by SIGKILL',
      },
    ];
    expect(texts(processRows({ processes }, 7, 5_000))).toEqual([
      ['1: 7, which answers', 'ready', '5s', '1.00 MB', '0', ''],
      ['1: 8', 'starting', '5s', '1.00 MB', '0', ''],
      ['2: –', 'ended', '5s', '–', '3', 'was ended by SIGKILL'],
    ]);
    expect(processRows({ processes: [] }, 7, 0)).toEqual([]);
  });
});
