import { describe, expect, it } from '@jest/globals';
import { fakeClock } from './fake-clock.js';

describe('fakeClock', () => {
  it('moves only when it is advanced', async () => {
    const clock = fakeClock(100);
    expect(clock.now()).toBe(100);
    await clock.advance(5);
    expect(clock.now()).toBe(105);
  });

  it('fires what falls due in order of time, then of making, at its own moment', async () => {
    const clock = fakeClock();
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.now()}`);
    clock.after(20, note('b'));
    clock.after(10, note('a'));
    clock.after(20, note('c'));
    clock.after(31, note('late'));
    await clock.advance(30);
    expect(fired).toEqual(['a@10', 'b@20', 'c@20']);
    expect(clock.pending).toBe(1);
    expect(clock.now()).toBe(30);
  });

  it('fires timers that timers make, when they fall due on the way', async () => {
    const clock = fakeClock();
    const fired: number[] = [];
    const again = (): void => {
      fired.push(clock.now());
      clock.after(10, again);
    };
    clock.after(10, again);
    await clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  it('lets promises settle before, between and after timers', async () => {
    const clock = fakeClock();
    const seen: string[] = [];
    void Promise.resolve().then(() => clock.after(5, () => seen.push('made before')));
    clock.after(5, () => void Promise.resolve().then(() => seen.push('settled')));
    clock.after(6, () => seen.push('next'));
    await clock.advance(6);
    expect(seen).toEqual(['settled', 'made before', 'next']);
  });

  it('forgets a cancelled timer', async () => {
    const clock = fakeClock();
    let fired = false;
    const cancel = clock.after(5, () => (fired = true));
    cancel();
    cancel();
    await clock.advance(10);
    expect(fired).toBe(false);
  });

  it('fires nothing when the wall clock is adjusted, and keeps delays', async () => {
    const clock = fakeClock();
    const fired: number[] = [];
    clock.after(10, () => fired.push(clock.now()));
    clock.jump(1_000);
    expect(clock.now()).toBe(1_000);
    expect(fired).toEqual([]);
    await clock.advance(10);
    expect(fired).toEqual([1_010]);
  });
});
