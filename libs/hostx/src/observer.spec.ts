import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { builderOf, ending, never } from './host/host.fixture.js';
import { untilAborted } from '@apix/contracts/internal';
import { probeService } from './testing/probe-service.js';
import { Recorder } from './testing/recorder.js';

/** What a recorder was told, a line for each event; errors by their message. */
function lines({ events }: Recorder): string[] {
  return events.map(({ kind, detail }) => {
    const values = Object.entries(detail).map(([key, value]) => {
      const errors = Array.isArray(value) ? `[${value.map(String).join()}]` : String(value);
      return `${key}=${errors}`;
    });
    return [kind, ...values].join(' ');
  });
}

describe('an observer', () => {
  it('is called for every step of a run, with durations', async () => {
    const clock = fakeClock();
    const sleep = (ms: number): Promise<void> =>
      new Promise((resolve) => void clock.after(ms, resolve));
    const recorder = new Recorder();
    const host = builderOf(clock)
      .withObserver(recorder.observer)
      .addStartupTask('migrate', () => sleep(30))
      .addService(probeService('db', [], { ready: () => sleep(20), stop: () => sleep(40) }))
      .onReload(() => sleep(10))
      .onReload(() => Promise.reject(new Error('boom')), 'levels')
      .build();
    const run = ending(host.runContext());
    await clock.advance(50);
    void host.reload();
    await clock.advance(10);
    host.shutdown();
    await clock.advance(40);
    expect(await run).toBe('nil');
    expect(lines(recorder)).toEqual([
      'hostPhaseChanged from=idle to=starting',
      'taskStarting task=migrate',
      'taskDone task=migrate durationMs=30',
      'serviceStarting service=db attempt=0',
      'serviceStarted service=db attempt=0',
      'serviceReady service=db attempt=0 durationMs=20 addr=undefined',
      'hostPhaseChanged from=starting to=running',
      'reloadDone durationMs=10 errors=[HostError: hostx: reload hook levels: boom] done=[number 1]',
      'hostPhaseChanged from=running to=stopping',
      'serviceStopping service=db',
      'serviceStopped service=db durationMs=40 error=undefined',
      'hostPhaseChanged from=stopping to=stopped',
    ]);
  });

  it('is called when a startup task has failed, with its error', async () => {
    const recorder = new Recorder();
    const host = builderOf()
      .withObserver(recorder.observer)
      .addStartupTask('migrate', () => Promise.reject(new Error('no table')))
      .build();
    expect(await ending(host.runContext())).toBe('hostx: startup task migrate: no table');
    expect(lines(recorder)).toContain(
      'taskDone task=migrate durationMs=0 error=HostError: hostx: startup task migrate: no table',
    );
  });

  it('is called for restarts, for the final failure, and for abandoned services', async () => {
    const clock = fakeClock();
    const recorder = new Recorder();
    const host = builderOf(clock)
      .withObserver(recorder.observer)
      .withShutdownTimeout('1s')
      .addService({ name: 'stuck', start: untilAborted, stop: never })
      .addService(
        { name: 'frail', start: () => Promise.reject(new Error('boom')) },
        { restart: { maxAttempts: 1 } },
      )
      .build();
    const run = ending(host.runContext());
    await clock.advance(2_000);
    expect(await run).toContain('gave up after 1 restart');
    const told = lines(recorder).filter((line) => /frail|stuck/.test(line));
    expect(told).toEqual([
      'serviceStarting service=stuck attempt=0',
      'serviceStarted service=stuck attempt=0',
      'serviceReady service=stuck attempt=0 durationMs=0 addr=undefined',
      'serviceStarting service=frail attempt=0',
      'serviceStarted service=frail attempt=0',
      'serviceRestarting service=frail attempt=1 delayMs=1000 error=HostError: hostx: service frail: boom',
      'serviceStarting service=frail attempt=1',
      'serviceStarted service=frail attempt=1',
      'serviceFailed service=frail error=HostError: hostx: service frail: gave up after 1 restart: boom',
      'serviceStopping service=frail',
      'serviceStopped service=frail durationMs=0 error=undefined',
      'serviceStopping service=stuck',
      'serviceAbandoned service=stuck afterMs=1000',
    ]);
  });

  it('is called after those that were registered before it, even if they throw', async () => {
    const told: string[] = [];
    const host = builderOf()
      .withObserver({
        serviceReady: () => {
          told.push('first');
          throw new Error('boom');
        },
      })
      .withObserver({ serviceReady: () => void told.push('second') })
      .addService(probeService('a', []))
      .build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    expect(await run).toBe('nil');
    expect(told).toEqual(['first', 'second']);
  });
});
