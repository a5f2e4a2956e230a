import { describe, expect, it } from '@jest/globals';
import { startTerminal } from './signals.js';

describe('the terminal that a process was started at', () => {
  it.each<[string, number[], number[], boolean]>([
    ['there behind all descriptors', [0, 1, 2], [0, 1, 2], false],
    ['closed', [0, 1, 2], [], true],
    ['closed, which only stdin was', [0], [], true],
    ['closed, which only stderr was', [2], [], true],
    ['there behind one that is left', [0, 1, 2], [2], false],
    ['one that never was', [], [], false],
  ])('is %s', (_, before, after, isGone) => {
    let terminals = before;
    const terminal = startTerminal((fd) => terminals.includes(fd));
    expect(terminal.isGone()).toBe(false);
    terminals = after;
    expect(terminal.isGone()).toBe(isGone);
  });
});
