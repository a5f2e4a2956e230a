import { describe, expect, it } from '@jest/globals';
import { type UnreadCall, UnsentAnswers } from './unsent-answers.js';

const ended: string[] = [];

/** A call with answers that wait, which says why it is ended. */
function call(name: string): UnreadCall & { unsentBytes: number } {
  return {
    unsentBytes: 0,
    overflow: ({ message }) => void ended.push(`${name}: ${message}`),
  };
}

function told(body: (write: (of: ReturnType<typeof call>, bytes: number) => void) => void) {
  ended.length = 0;
  const answers = new UnsentAnswers({ perCall: 100, total: 250 });
  body((of, bytes) => {
    of.unsentBytes += bytes;
    if (bytes > 0) answers.add(of, bytes);
    else answers.remove(of, -bytes);
  });
  return { ended: [...ended], total: answers.total };
}

const tooMuch = (whose: string, bytes: number): string =>
  `the answers ${whose} that wait for the caller exceed ${bytes} bytes; read them faster`;

describe('answers that wait for their callers', () => {
  const [a, b, c] = ['a', 'b', 'c'];

  it('may reach both limits', () => {
    const done = told((write) => {
      write(call(a), 100);
      write(call(b), 100);
      write(call(c), 50);
    });
    expect(done).toEqual({ ended: [], total: 250 });
  });

  it('end the call that has more than a call may', () => {
    const done = told((write) => {
      write(call(a), 100);
      write(call(b), 101);
    });
    expect(done.ended).toEqual([`b: ${tooMuch('of this call', 100)}`]);
  });

  it('end the call with most where all have more than they may together', () => {
    const done = told((write) => {
      write(call(a), 80);
      write(call(b), 90);
      write(call(c), 81);
    });
    expect(done.ended).toEqual([`b: ${tooMuch('of all calls', 250)}`]);
  });

  it('make room where they have been taken', () => {
    const done = told((write) => {
      const [one, other] = [call(a), call(b)];
      write(one, 100);
      write(other, 100);
      write(one, -100);
      write(call(c), 100);
      write(other, 0);
    });
    expect(done).toEqual({ ended: [], total: 200 });
  });
});
