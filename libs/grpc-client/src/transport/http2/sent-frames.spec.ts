import { describe, expect, it } from '@jest/globals';
import { SentFrames } from './sent-frames.js';

function taker() {
  const got: string[] = [];
  const callbacks: (() => void)[] = [];
  return {
    got,
    callbacks,
    write: (frame: Buffer, taken: (() => void) | undefined) => {
      got.push(String(frame));
      if (taken !== undefined) callbacks.push(taken);
    },
    halfClose: () => void got.push('end'),
  };
}

describe('the requests of a call', () => {
  it('wait for a stream, and are sent to the next one again', () => {
    const frames = new SentFrames();
    frames.send(Buffer.from('a'), undefined);
    const [first, second] = [taker(), taker()];
    frames.sendTo(first);
    frames.send(Buffer.from('b'), undefined);
    frames.halfClose();
    frames.detach();
    frames.sendTo(second);
    expect([first.got, second.got]).toEqual([
      ['a', 'b', 'end'],
      ['a', 'b', 'end'],
    ]);
  });

  it('are taken once, by whichever stream takes them', () => {
    const frames = new SentFrames();
    let taken = 0;
    const [lost, good] = [taker(), taker()];
    frames.send(Buffer.from('a'), () => (taken += 1));
    frames.sendTo(lost);
    frames.detach();
    frames.sendTo(good);
    for (const callback of [...good.callbacks, ...lost.callbacks]) callback();
    expect(taken).toBe(1);
  });

  it('are no longer kept once they are many, or the server has answered', () => {
    const many = new SentFrames();
    many.sendTo(taker());
    many.send(Buffer.alloc(300 * 1024), undefined);
    const answered = new SentFrames();
    answered.commit();
    expect([many.canRepeat, answered.canRepeat, new SentFrames().canRepeat]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
