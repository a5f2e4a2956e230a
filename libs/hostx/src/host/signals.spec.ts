import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { type SignalSource, connectSignals } from './signals.js';

function connected(platform: string, terminalIsGone = false) {
  const events = new EventEmitter();
  const source = Object.assign(events, { platform }) as unknown as SignalSource;
  const clock = fakeClock();
  const log: string[] = [];
  const disconnect = connectSignals(
    source,
    {
      shutdown: (signal) => log.push(signal),
      reload: () => log.push('reload'),
      exit: (code) => log.push(`exit ${code}`),
    },
    clock,
    { isGone: () => terminalIsGone, leave: () => log.push('leave') },
  );
  return { events, clock, log, disconnect };
}

describe('the signals of a process', () => {
  it.each([
    ['SIGTERM 0', 'SIGTERM'],
    ['SIGINT 0', 'SIGINT'],
    ['SIGTERM 0, SIGTERM 999', 'SIGTERM'],
    ['SIGTERM 0, SIGINT 500', 'SIGTERM'],
    ['SIGTERM 0, SIGTERM 1000', 'SIGTERM, exit 143'],
    ['SIGINT 0, SIGINT 2000', 'SIGINT, exit 130'],
    ['SIGTERM 0, SIGTERM 600, SIGTERM 600', 'SIGTERM, exit 143'],
    ['SIGHUP 0, SIGHUP 0', 'reload, reload'],
    ['SIGTERM 0, SIGHUP 2000', 'SIGTERM, reload'],
  ])('%s leads to %s', async (sent, expected) => {
    const { events, clock, log } = connected('linux');
    for (const one of sent.split(', ')) {
      const [signal, after] = one.split(' ');
      await clock.advance(Number(after));
      events.emit(signal!, signal);
    }
    expect(log.join(', ')).toBe(expected);
  });

  it.each([
    ['SIGHUP 0, SIGHUP 0', 'leave, SIGHUP, leave'],
    ['SIGHUP 0, SIGHUP 2000', 'leave, SIGHUP, leave'],
    ['SIGHUP 0, SIGTERM 2000', 'leave, SIGHUP, exit 143'],
    ['SIGTERM 0, SIGHUP 2000', 'SIGTERM, leave'],
  ])('%s without the terminal leads to %s', async (sent, expected) => {
    const { events, clock, log } = connected('linux', true);
    for (const one of sent.split(', ')) {
      const [signal, after] = one.split(' ');
      await clock.advance(Number(after));
      events.emit(signal!, signal);
    }
    expect(log.join(', ')).toBe(expected);
  });

  it('do not include SIGHUP on Windows', () => {
    const { events } = connected('win32');
    expect(events.eventNames()).toEqual(['SIGINT', 'SIGTERM']);
  });

  it('are left alone afterwards', () => {
    const { events, disconnect } = connected('linux');
    disconnect();
    expect(events.eventNames()).toEqual([]);
  });

  it.each([
    ['is gone', 'linux', true, ['leave']],
    ['is there', 'linux', false, []],
    ['is a console of Windows', 'win32', true, []],
  ] as const)(
    'leave a terminal that %s at the end, of which no signal has told',
    (_, platform, isGone, expected) => {
      const { log, disconnect } = connected(platform, isGone);
      disconnect();
      expect(log).toEqual(expected);
    },
  );
});
