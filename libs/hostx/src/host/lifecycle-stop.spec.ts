import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import type { Service } from '../service.js';
import { probeService } from '../testing/probe-service.js';
import { Recorder } from '../testing/recorder.js';
import type { Host } from './host-builder.js';
import { builderOf, ending, never } from './host.fixture.js';

describe('rule 1: shutdown is triggered by shutdown() or by aborting the context', () => {
  it.each([
    ['Host.shutdown()', (host: Host) => host.shutdown()],
    ['the context', (_: Host, context: AbortController) => context.abort()],
  ])('%s', async (_, trigger) => {
    const context = new AbortController();
    const host = builderOf().addService(probeService('a', [])).build();
    const run = ending(host.runContext(context.signal));
    await host.started;
    trigger(host, context);
    expect(await run).toBe('nil');
  });

  it('a context that is aborted from the start starts nothing', async () => {
    const log: string[] = [];
    const host = builderOf().addService(probeService('a', log)).build();
    expect(await ending(host.runContext(AbortSignal.abort()))).toBe('nil');
    expect(log).toEqual([]);
    expect(await host.started).toBe(false);
  });
});

describe('rule 2: shutdown() is idempotent, non-blocking and safe at any time', () => {
  it('before the run it makes the run end at once', async () => {
    const log: string[] = [];
    const host = builderOf().addService(probeService('a', log)).build();
    host.shutdown('first');
    host.shutdown('second');
    expect(host.state.reason).toBe('first');
    expect(await ending(host.runContext())).toBe('nil');
    expect(log).toEqual([]);
  });

  it.each(['start', 'started hook', 'stopping hook', 'stop', 'stopped hook', 'observer', 'after'])(
    'inside %s',
    async (where) => {
      const log: string[] = [];
      let stops = 0;
      const at = (place: string) => () => {
        if (place === where) host.shutdown();
      };
      const host: Host = builderOf()
        .addService({
          ...probeService('a', log),
          start: (signal) => {
            at('start')();
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
          },
          stop: () => {
            stops += 1;
            at('stop')();
          },
        })
        .onStarted(at('started hook'))
        .onStopping(at('stopping hook'))
        .onStopped(at('stopped hook'))
        .withObserver({ serviceReady: at('observer') })
        .build();
      const run = ending(host.runContext());
      await host.started;
      host.shutdown();
      expect(await run).toBe('nil');
      host.shutdown();
      expect(stops).toBe(1);
    },
  );
});

describe('a startup task that ends while the host stops', () => {
  it.each<[string, () => Promise<void>, string]>([
    ['well does not fail the run', () => Promise.resolve(), 'nil'],
    [
      'with an error fails the run',
      () => Promise.reject(new Error('half done')),
      'hostx: startup task migrate: half done',
    ],
  ])('%s', async (_, last, expected) => {
    let goOn = (): void => {};
    const going = new Promise<void>((resolve) => (goOn = resolve));
    const host = builderOf()
      .addStartupTask('migrate', () => going.then(last))
      .build();
    const run = ending(host.runContext());
    await new Promise((resolve) => setImmediate(resolve));
    host.shutdown();
    await new Promise((resolve) => setImmediate(resolve));
    goOn();
    expect(await run).toBe(expected);
  });
});

describe('rule 3: runContext installs no signal handlers', () => {
  it('leaves the listeners of the process as they are', async () => {
    const count = () =>
      ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException'].map((s) => process.listenerCount(s));
    const before = count();
    const host = builderOf().build();
    const run = host.runContext();
    await host.started;
    expect(count()).toEqual(before);
    host.shutdown();
    await run;
  });
});

describe('rule 10: a service that never returns from stop is reported and abandoned', () => {
  it.each([
    ['stop', { stop: never }],
    ['start', { start: never }],
  ])('when %s hangs the rest still stops, and run ends at the deadline', async (_, over) => {
    const clock = fakeClock();
    const log: string[] = [];
    const recorder = new Recorder();
    const host = builderOf(clock)
      .addService(probeService('a', log))
      .addService(probeService('stuck', [], over))
      .addService(probeService('c', log))
      .onStopped(() => void log.push('stopped'))
      .withObserver(recorder.observer)
      .build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    await clock.advance(29_999);
    expect(host.state.phase).toBe('stopping');
    await clock.advance(1);
    expect(await run).toBe('hostx: service stuck: did not stop within 30000 ms; abandoned');
    expect(log.join(', ')).toBe('a start, c start, c stop, c abort, a stop, a abort, stopped');
    expect(recorder.has('serviceAbandoned', 'stuck')).toBe(true);
    expect(host.state.services[1]!.state).toBe('abandoned');
  });

  it('each stop receives the remaining deadline', async () => {
    const clock = fakeClock();
    const remaining: number[] = [];
    const taking = (name: string, ms: number): Service =>
      probeService(name, [], {
        stop: (deadline) => {
          remaining.push(deadline.remainingMs());
          return new Promise((resolve) => clock.after(ms, resolve));
        },
      });
    const host = builderOf(clock)
      .withShutdownTimeout('10s')
      .addService(taking('a', 0))
      .addService(taking('b', 3_000))
      .addService(taking('c', 4_000))
      .build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    await clock.advance(7_000);
    expect(await run).toBe('nil');
    expect(remaining).toEqual([10_000, 6_000, 3_000]);
  });

  it('a stopping hook that hangs leaves half of the time to the services', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    const host = builderOf(clock)
      .withShutdownTimeout('10s')
      .addService(probeService('a', log))
      .onStopping(never, 'deaf')
      .build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    await clock.advance(5_000);
    expect(await run).toBe('hostx: stopping hook deaf: did not finish in time; abandoned');
    expect(log).toEqual(['a start', 'a stop', 'a abort']);
  });
});

describe('errors', () => {
  it('are joined and each names its culprit', async () => {
    const fail = (text: string) => () => Promise.reject(new Error(text));
    const host = builderOf()
      .addService(probeService('a', [], { stop: fail('a is stuck') }))
      .addService(probeService('b', [], { start: fail('b died') }))
      .onStopped(fail('no'), 'tidy')
      .build();
    const run = host.runContext();
    await expect(run).rejects.toBeInstanceOf(AggregateError);
    expect(await ending(run)).toBe(
      'hostx: service b: b died; hostx: service a: stop: a is stuck; hostx: stopped hook tidy: no',
    );
  });

  it('a host runs once', async () => {
    const host = builderOf().build();
    host.shutdown();
    await host.runContext();
    await expect(host.runContext()).rejects.toThrow('hostx: a host can only run once');
  });
});
