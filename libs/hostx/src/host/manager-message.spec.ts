import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { type SignalSource, connectSignals } from './signals.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pm2-'));
  await writeFile(join(home, 'pm2.pid'), '17');
});
afterEach(() => rm(home, { recursive: true }));

const PM2 = { pm_id: '0' };

function connected(parts: object = {}) {
  const events = new EventEmitter();
  const env = { ...PM2, PM2_HOME: home };
  const given = { platform: 'win32', ppid: 17, env, send: () => true, ...parts };
  const source = Object.assign(events, given) as unknown as SignalSource;
  const clock = fakeClock();
  const log: string[] = [];
  events.on('SIGTERM', () => log.push('heard by the app'));
  const targets = {
    shutdown: (signal: string) => log.push(signal),
    reload: () => {},
    exit: (code: number) => log.push(`exit ${code}`),
  };
  const terminal = { isGone: () => false, leave: () => {} };
  const disconnect = connectSignals(source, targets, clock, terminal);
  return { events, clock, log, disconnect };
}

describe('the message shutdown of PM2', () => {
  it('is a SIGTERM, once, for the listeners of the app too', () => {
    const { events, log } = connected();
    events.emit('message', 'shutdown');
    events.emit('message', 'shutdown');
    expect(log).toEqual(['SIGTERM', 'heard by the app']);
  });

  it('may be followed by a signal, which is not a second one', async () => {
    const { events, clock, log } = connected();
    events.emit('message', 'shutdown');
    await clock.advance(8_000);
    events.emit('SIGINT', 'SIGINT');
    expect(log).toEqual(['SIGTERM', 'heard by the app']);
    await clock.advance(8_000);
    events.emit('SIGINT', 'SIGINT');
    expect(log.at(-1)).toBe('exit 130');
  });

  it.each<[string, unknown]>([
    ['another text', 'Shutdown'],
    ['an object', { type: 'shutdown' }],
    ['null', null],
  ])('is not %s', (_, message) => {
    const { events, log } = connected();
    events.emit('message', message);
    expect(log).toEqual([]);
  });

  it.each<[string, () => object]>([
    ['that PM2 has not started', () => ({ env: {} })],
    ['whose parent is an app under PM2', () => ({ ppid: 18 })],
    ['without a channel', () => ({ send: undefined })],
    ['of a PM2 that is not there', () => ({ env: { ...PM2, PM2_HOME: join(home, 'none') } })],
  ])('is left alone in a process %s', (_, parts) => {
    const { events, log } = connected(parts());
    events.emit('message', 'shutdown');
    expect([log, events.listenerCount('message')]).toEqual([[], 0]);
  });

  it('is not heard any more once the host has let go of the process', () => {
    const { events, disconnect } = connected();
    expect(events.listenerCount('message')).toBe(1);
    disconnect();
    expect(events.listenerCount('message')).toBe(0);
  });
});
