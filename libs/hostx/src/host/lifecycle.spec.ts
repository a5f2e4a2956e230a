import { describe, expect, it } from '@jest/globals';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import type { Service } from '../service.js';
import { Host, type HostBuilder } from './host-builder.js';

/** A service that says in `log` what happens to it, and runs until aborted. */
function told(log: string[], name: string, over: Partial<Service> = {}): Service {
  return {
    name,
    start: (signal) =>
      new Promise((resolve) => {
        log.push(`${name} start`);
        signal.addEventListener('abort', () => {
          log.push(`${name} abort`);
          resolve();
        });
      }),
    stop: () => void log.push(`${name} stop`),
    ...over,
  };
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
}

function outcome(run: Promise<void>): Promise<string> {
  return run.then(
    () => 'resolved',
    (error: Error) => error.message,
  );
}

function builderOf(clock: FakeClock = fakeClock()): HostBuilder {
  return Host.builder().withClock(clock).withEnvironment('Test');
}

describe('lifecycle order', () => {
  it('runs tasks before services, starts in order, stops in reverse between the hooks', async () => {
    const log: string[] = [];
    const host = builderOf()
      .addService(told(log, 'a'))
      .addService(told(log, 'b'))
      .addStartupTask('t1', () => void log.push('t1'))
      .addStartupTask('t2', async () => void log.push('t2'))
      .onStarted(() => void log.push('started'))
      .onStopping(() => void log.push('stopping'))
      .onStopped(() => void log.push('stopped'))
      .addTeardown('frame', () => void log.push('teardown'))
      .addCloser('log', () => void log.push('closer'))
      .build();
    const run = outcome(host.runContext());
    await settled();
    expect(host.state.phase).toBe('running');
    host.shutdown();
    expect(await run).toBe('resolved');
    expect(log).toEqual([
      't1',
      't2',
      'a start',
      'b start',
      'started',
      'stopping',
      'b abort',
      'b stop',
      'a abort',
      'a stop',
      'teardown',
      'stopped',
      'closer',
    ]);
    expect(host.state.phase).toBe('stopped');
  });
});
