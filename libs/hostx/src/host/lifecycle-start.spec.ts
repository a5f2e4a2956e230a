import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import type { Service } from '../service.js';
import { probeService } from '../testing/probe-service.js';
import { Recorder } from '../testing/recorder.js';
import type { Host } from './host-builder.js';
import { builderOf, ending, never } from './host.fixture.js';

describe('lifecycle order', () => {
  it('runs tasks, starts in order, and stops in reverse between the hooks', async () => {
    const log: string[] = [];
    const note = (text: string) => () => void log.push(text);
    const host = builderOf()
      .addService(probeService('a', log))
      .addService(probeService('b', log))
      .addStartupTask('t1', note('t1'))
      .addStartupTask('t2', note('t2'))
      .onStarted(note('started'))
      .onStopping(note('stopping'))
      .onStopped(note('stopped'))
      .addTeardown('frame', note('teardown'))
      .addCloser('log', note('closer'))
      .build();
    const run = ending(host.runContext());
    expect(await host.started).toBe(true);
    expect(host.state.phase).toBe('running');
    host.shutdown();
    expect(await run).toBe('nil');
    expect(log.join(', ')).toBe(
      't1, t2, a start, b start, started, stopping, b stop, b abort, a stop, a abort, ' +
        'teardown, stopped, closer',
    );
    expect(host.state.phase).toBe('stopped');
  });

  it('tells that it has stopped before the logger is closed', async () => {
    const told: string[] = [];
    const host = builderOf()
      .withObserver({ hostPhaseChanged: ({ to }) => void told.push(to) })
      .addCloser('log', () => void told.push('closed'))
      .build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    await run;
    expect(told.slice(-2)).toEqual(['stopped', 'closed']);
  });

  it('does not start a service before the one before it is ready', async () => {
    const log: string[] = [];
    const clock = fakeClock();
    let becomeReady = (): void => {};
    const db = probeService('db', log, {
      ready: () => new Promise((resolve) => (becomeReady = resolve)),
    });
    const host = builderOf(clock)
      .addService(db)
      .addService(probeService('web', log))
      .onStarted(() => void log.push('started'))
      .build();
    const run = ending(host.runContext());
    await clock.advance(60_000);
    expect(log).toEqual(['db start']);
    expect(host.state.services.map(({ state }) => state)).toEqual(['starting', 'waiting']);
    becomeReady();
    await host.started;
    expect(log).toEqual(['db start', 'web start', 'started']);
    host.shutdown();
    expect(await run).toBe('nil');
  });

  it('starts independent services together and stops a dependent before what it needs', async () => {
    const log: string[] = [];
    const clock = fakeClock();
    const slow = (name: string): Service =>
      probeService(name, log, {
        ready: () => new Promise((resolve) => clock.after(1_000, resolve)),
      });
    const host = builderOf(clock)
      .addService(slow('db'), { after: [] })
      .addService(slow('queue'), { after: [] })
      .addService(slow('outbox'), { after: ['db', 'queue'] })
      .build();
    const run = ending(host.runContext());
    await clock.advance(0);
    expect(log).toEqual(['db start', 'queue start']);
    await clock.advance(1_000);
    await clock.advance(1_000);
    expect(await host.started).toBe(true);
    host.shutdown();
    expect(await run).toBe('nil');
    expect(log.slice(2).join(', ')).toBe(
      'outbox start, outbox stop, outbox abort, db stop, queue stop, db abort, queue abort',
    );
  });
});

describe('a service that is not ready yet', () => {
  it('is none that fails as soon as it has started', async () => {
    const log: string[] = [];
    const recorder = new Recorder();
    const host = builderOf()
      .addService(
        probeService('a', log, {
          async start() {
            for (let hop = 0; hop < 50; hop++) await Promise.resolve();
            throw new Error('boom');
          },
        }),
      )
      .addService(probeService('b', log))
      .withObserver(recorder.observer)
      .build();
    expect(await ending(host.runContext())).toBe('hostx: service a: boom');
    expect(recorder.has('serviceReady')).toBe(false);
    expect(log).toEqual(['a stop']);
  });

  it('lets nothing start once it becomes ready during the shutdown', async () => {
    const log: string[] = [];
    let becomeReady = (): void => {};
    const host = builderOf()
      .addService(
        probeService('a', log, {
          ready: () => new Promise((resolve) => (becomeReady = resolve)),
        }),
      )
      .addService(probeService('b', log))
      .onStopping(async () => {
        becomeReady();
        await new Promise((resolve) => setImmediate(resolve));
      })
      .build();
    const run = ending(host.runContext());
    await new Promise((resolve) => setImmediate(resolve));
    host.shutdown();
    expect(await run).toBe('nil');
    expect(log).toEqual(['a start', 'a stop', 'a abort']);
  });
});

describe('rule 4: a startup task that fails aborts the host', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])('when it %s: services never start and the error names the task', async (_, task) => {
    const log: string[] = [];
    const host = builderOf()
      .addStartupTask('migrate', task)
      .addStartupTask('never', () => void log.push('never'))
      .addService(probeService('a', log))
      .onStopped(() => void log.push('stopped'))
      .build();
    expect(await ending(host.runContext())).toBe('hostx: startup task migrate: boom');
    expect(log).toEqual(['stopped']);
  });
});

describe('rule 5: cancellation during startup tasks is a clean exit', () => {
  it.each([
    ['returns', () => {}],
    ['rejects with the reason', (signal: AbortSignal) => Promise.reject(signal.reason as Error)],
  ])('the rest is skipped, run returns nil, when the task %s', async (_, end) => {
    const log: string[] = [];
    const host: Host = builderOf()
      .addStartupTask('slow', (signal) => {
        host.shutdown();
        return end(signal);
      })
      .addStartupTask('skipped', () => void log.push('skipped'))
      .addService(probeService('a', log))
      .build();
    expect(await ending(host.runContext())).toBe('nil');
    expect(log).toEqual([]);
  });

  it('waits for the task under way, but not beyond the shutdown timeout', async () => {
    const clock = fakeClock();
    const host = builderOf(clock).withShutdownTimeout('5s').addStartupTask('deaf', never).build();
    const run = ending(host.runContext());
    await clock.advance(0);
    host.shutdown();
    await clock.advance(4_999);
    expect(host.state.phase).toBe('stopping');
    await clock.advance(1);
    expect(await run).toMatch(/startup task.* did not finish in time; abandoned/);
  });
});

describe('start timeout', () => {
  it('names what is not ready, and stops', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    const host = builderOf(clock)
      .withStartTimeout('5s')
      .addService(probeService('a', log))
      .addService(probeService('slow', log, { ready: never }))
      .addService(probeService('c', log))
      .build();
    const run = ending(host.runContext());
    await clock.advance(1);
    await clock.advance(1);
    await clock.advance(4_998);
    expect(await run).toBe(
      'hostx: not ready within the start timeout of 5000 ms: slow (starting), c (waiting)',
    );
    expect(log).toEqual(['a start', 'slow start', 'slow stop', 'slow abort', 'a stop', 'a abort']);
  });

  it('is over once everything is ready', async () => {
    const clock = fakeClock();
    const host = builderOf(clock).withStartTimeout('5s').addService(probeService('a', [])).build();
    const run = ending(host.runContext());
    await host.started;
    await clock.advance(60_000);
    expect(host.state.phase).toBe('running');
    host.shutdown();
    expect(await run).toBe('nil');
  });

  it('is unbounded when unset', async () => {
    const clock = fakeClock();
    const host = builderOf(clock)
      .addService(probeService('slow', [], { ready: never }))
      .build();
    const run = ending(host.runContext());
    await clock.advance(365 * 86_400_000);
    expect(host.state.phase).toBe('starting');
    host.shutdown();
    expect(await run).toBe('nil');
  });
});
