import { describe, expect, it, jest } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { isAbortOf, linkAbort, onAbort, orAborted, pause, untilAborted } from './abort.js';
import { fakeClock } from './testing/fake-clock.js';
import { unreadableValues } from './testing/unreadable-values.js';

const listenersOn = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('calls its listener with the reason once the signal aborts', () => {
    const controller = new AbortController();
    const heard = jest.fn();
    onAbort(controller.signal, heard);
    expect(heard).not.toHaveBeenCalled();
    controller.abort('why');
    expect(heard.mock.calls).toEqual([['why']]);
  });

  it('calls its listener at once for a signal that has aborted', () => {
    const heard = jest.fn();
    onAbort(AbortSignal.abort('why'), heard)();
    expect(heard.mock.calls).toEqual([['why']]);
  });

  it('leaves nothing on the signal once it is taken back', () => {
    const controller = new AbortController();
    const heard = jest.fn();
    onAbort(controller.signal, heard)();
    expect(listenersOn(controller.signal)).toBe(0);
    controller.abort();
    expect(heard).not.toHaveBeenCalled();
  });

  it('puts one listener on a signal, however much work it is for, and calls all in their order', () => {
    const controller = new AbortController();
    const heard: number[] = [];
    const forget = Array.from({ length: 100 }, (_, n) =>
      onAbort(controller.signal, () => void heard.push(n)),
    );
    expect(listenersOn(controller.signal)).toBe(1);
    for (const n of [98, 1, 50]) forget[n]!();
    controller.abort();
    const left = Array.from({ length: 100 }, (_, n) => n).filter((n) => ![98, 1, 50].includes(n));
    expect(heard).toEqual(left);
    for (const each of forget) each();
    expect(listenersOn(controller.signal)).toBe(0);
  });

  it('refuses a value that is not a signal, every time', () => {
    const none = {} as AbortSignal;
    expect(() => onAbort(none, () => {})).toThrow(TypeError);
    expect(() => onAbort(none, () => {})).toThrow(TypeError);
  });

  it('does not call a listener that another one has removed, and starts again after all were removed', () => {
    const controller = new AbortController();
    onAbort(controller.signal, () => {})();
    const heard = jest.fn();
    onAbort(controller.signal, () => forget());
    const forget = onAbort(controller.signal, heard);
    controller.abort();
    expect(heard).not.toHaveBeenCalled();
  });

  it('calls the others where one throws, whose error is thrown by itself', () => {
    const controller = new AbortController();
    const heard = jest.fn();
    const broken = new Error('broken');
    onAbort(controller.signal, () => {
      throw broken;
    });
    onAbort(controller.signal, heard);
    const nextTick = jest.spyOn(process, 'nextTick').mockImplementation(() => {});
    try {
      controller.abort('why');
      expect(heard).toHaveBeenCalledWith('why');
      expect(nextTick.mock.calls[0]![0]).toThrow(broken);
    } finally {
      nextTick.mockRestore();
    }
  });
});

describe('untilAborted', () => {
  it('resolves when the signal aborts, or at once where it has', async () => {
    const controller = new AbortController();
    const order: string[] = [];
    const waiting = untilAborted(controller.signal).then(() => order.push('aborted'));
    await untilAborted(AbortSignal.abort());
    order.push('before');
    controller.abort();
    await waiting;
    expect(order).toEqual(['before', 'aborted']);
  });
});

describe('orAborted', () => {
  it('gives what the work comes to, and leaves nothing on the signal', async () => {
    const { signal } = new AbortController();
    await expect(orAborted(Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(orAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(listenersOn(signal)).toBe(0);
  });

  it('rejects with the reason of a signal that aborts first, and drops a late failure', async () => {
    const reason = new Error('stop');
    const controller = new AbortController();
    let fail: (reason: Error) => void = () => {};
    const work = new Promise<never>((_, reject) => (fail = reject));
    const outcome = orAborted(work, controller.signal);
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    fail(new Error('late'));
    await expect(orAborted(Promise.race([]), AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('pause', () => {
  it('lasts as long as it says', async () => {
    const clock = fakeClock();
    const { signal } = new AbortController();
    const ended = jest.fn();
    const paused = pause(100, signal, clock).then(ended);
    await clock.advance(99);
    expect(ended).not.toHaveBeenCalled();
    await clock.advance(1);
    await paused;
    expect(listenersOn(signal)).toBe(0);
  });

  it('ends with the signal and takes its timer away', async () => {
    const controller = new AbortController();
    const cancel = jest.fn();
    const paused = pause(100, controller.signal, { now: () => 0, after: () => cancel });
    controller.abort();
    await paused;
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it.each([0, -1])('of %p ms is none', async (ms) => {
    const after = jest.fn(() => () => {});
    await pause(ms, new AbortController().signal, { now: () => 0, after });
    await pause(100, AbortSignal.abort(), { now: () => 0, after });
    expect(after).not.toHaveBeenCalled();
  });
});

describe('linkAbort', () => {
  it('aborts with the first of its signals, for its reason', () => {
    const first = new AbortController();
    const second = new AbortController();
    const { signal } = linkAbort(first.signal, second.signal);
    second.abort('second');
    first.abort('first');
    expect([signal.aborted, signal.reason]).toEqual([true, 'second']);
    expect(linkAbort(AbortSignal.abort('early'), first.signal).signal.reason).toBe('early');
  });

  it('can be aborted by itself', () => {
    const other = new AbortController();
    const linked = linkAbort(other.signal);
    linked.abort('own');
    expect([linked.signal.reason, other.signal.aborted]).toEqual(['own', false]);
  });

  it('leaves nothing on its signals once it is disposed of', () => {
    const controller = new AbortController();
    const linked = linkAbort(controller.signal);
    linked.dispose();
    controller.abort();
    expect([linked.signal.aborted, listenersOn(controller.signal)]).toEqual([false, 0]);
  });
});

describe('isAbortOf', () => {
  const reason = new Error('the host stops');
  const aborted = AbortSignal.abort(reason);

  it.each<[string, AbortSignal, unknown, boolean]>([
    ['the reason', aborted, reason, true],
    ['an error that the reason caused', aborted, new Error('x', { cause: reason }), true],
    ['an AbortError of Node', aborted, new DOMException('x', 'AbortError'), true],
    ['another error', aborted, new Error('no disk'), false],
    ['an error without a cause, of a signal without a reason', abortedBare(), new Error(), false],
    [
      'an AbortError before the signal has aborted',
      live(),
      new DOMException('', 'AbortError'),
      false,
    ],
  ])('says of %s whether it is the abort', (_, signal, thrown, expected) => {
    expect(isAbortOf(signal, thrown)).toBe(expected);
  });

  it.each(unreadableValues())('does not take %s for the abort', (_, thrown) => {
    expect(isAbortOf(aborted, thrown)).toBe(false);
  });
});

function live(): AbortSignal {
  return new AbortController().signal;
}

function abortedBare(): AbortSignal {
  const controller = new AbortController();
  controller.abort(null);
  return controller.signal;
}
