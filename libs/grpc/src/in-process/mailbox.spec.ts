import { describe, expect, it } from '@jest/globals';
import { type Letter, Mailbox, type SideContext } from './mailbox.js';

/** A context of a side that this function enters. */
function contextThat(enter: (run: () => void) => void): SideContext {
  return { runInAsyncScope: (_schedule, _this, run) => enter(run as () => void) as never };
}

/** A mailbox whose recipient takes what it asks for at once. */
function mailbox() {
  const received: Letter[] = [];
  const recipient = { receive: (letter: Letter) => void received.push(letter) };
  const now = contextThat((run) => run());
  return { box: new Mailbox(recipient, now, now), received };
}

/** Puts messages until the sender is held up, and says how many of them there are. */
function fill(box: Mailbox, bytes: number): number {
  let taken = true;
  let count = 0;
  while (taken) {
    taken = false;
    count += 1;
    box.put({ kind: 'message', body: { data: Buffer.alloc(bytes) } }, () => (taken = true));
  }
  return count;
}

describe('a mailbox', () => {
  it.each([
    ['sixteen small messages', 10, 16],
    ['64 KiB behind the first message', 20 * 1_024, 5],
    ['one large message behind the first', 1_024 * 1_024, 2],
  ])('holds its sender up from %s on', (_, bytes, count) => {
    expect(fill(mailbox().box, bytes)).toBe(count);
  });

  it('lets its sender go on when there is room, also after all of it was dropped', () => {
    const { box, received } = mailbox();
    for (let round = 1; round <= 3; round += 1) {
      expect(fill(box, 1_024 * 1_024)).toBe(2);
      box.read();
      box.read();
    }
    expect(received).toHaveLength(6);
    fill(box, 1_024 * 1_024);
    box.replaceAll({ kind: 'cancel' });
    expect(fill(box, 1_024 * 1_024)).toBe(2);
  });

  it('tells each sender that is held up that it may go on where all of it was dropped', () => {
    const { box } = mailbox();
    let told = 0;
    const put = (): void =>
      box.put({ kind: 'message', body: { data: Buffer.alloc(1_024 * 1_024) } }, () => told++);
    for (let count = 0; count < 4; count += 1) put();
    expect(told).toBe(1);
    box.replaceAll({ kind: 'cancel' });
    expect(told).toBe(4);
  });

  it('hands many letters over in several turns, so that others have theirs', () => {
    const hops: (() => void)[] = [];
    const received: Letter[] = [];
    const side = contextThat((run) => void hops.push(run));
    const box = new Mailbox({ receive: (letter) => void received.push(letter) }, side, side);
    for (let count = 0; count < 100; count += 1) box.put({ kind: 'cancel' });
    const turns: number[] = [];
    for (let hop = hops.shift(); hop !== undefined; hop = hops.shift()) {
      const before = received.length;
      hop();
      turns.push(received.length - before);
    }
    expect(received).toHaveLength(100);
    expect(Math.max(...turns)).toBeLessThan(20);
  });
});
