import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { probeService } from '../testing/probe-service.js';
import type { HostBuilder } from './host-builder.js';
import type { StopInfo } from './host-plan.js';
import { builderOf, ending, never } from './host.fixture.js';

const fails = (): never => {
  throw new Error('no');
};

describe('a stopping hook', () => {
  it.each<[string, StopInfo['started'], string, (builder: HostBuilder) => void]>([
    [
      'nothing had started, where a startup task fails',
      'nothing',
      'hostx: startup task migrate: no',
      (b) => b.addStartupTask('migrate', fails).addService(probeService('web', [])),
    ],
    [
      'nothing had started, where the shutdown comes during a startup task',
      'nothing',
      'asked',
      (b) => b.addStartupTask('migrate', never).addService(probeService('web', [])),
    ],
    [
      'some had started, where a service is not ready',
      'some',
      'asked',
      (b) =>
        b
          .addService(probeService('db', []))
          .addService(probeService('web', [], { ready: () => never() })),
    ],
    [
      'some had started, where a started hook fails',
      'some',
      'hostx: started hook register: no',
      (b) => b.addService(probeService('web', [])).onStarted(fails, 'register'),
    ],
    [
      'all had started, where the host was running',
      'all',
      'asked',
      (b) => b.addService(probeService('web', [])),
    ],
    [
      'all had started, where a running service fails',
      'all',
      'hostx: service web: no',
      (b) =>
        b.addService(
          probeService('web', [], {
            start: () =>
              new Promise((_, reject) => setImmediate(() => setImmediate(reject, new Error('no')))),
          }),
        ),
    ],
    ['all had started, where there was nothing to start', 'all', 'asked', () => {}],
  ])('is told that %s', async (_, started, reason, add) => {
    const clock = fakeClock();
    const told: StopInfo[] = [];
    const builder = builderOf(clock).withShutdownTimeout('1s');
    add(builder);
    const host = builder.onStopping((_deadline, stop) => void told.push(stop)).build();
    const run = ending(host.runContext());
    await clock.advance(10);
    await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
    host.shutdown('asked');
    await clock.advance(5_000);
    await run;
    expect(told).toEqual([{ reason, started }]);
  });
});
