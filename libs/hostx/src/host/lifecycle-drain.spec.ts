import { describe, expect, it } from '@jest/globals';
import { probeService } from '../testing/probe-service.js';
import { builderOf, ending } from './host.fixture.js';

describe('beginDrain', () => {
  it('is told to every service before the stopping hooks and before anything stops', async () => {
    const log: string[] = [];
    const draining = (name: string) =>
      probeService(name, log, { beginDrain: () => void log.push(`${name} drain`) });
    const host = builderOf()
      .addService(draining('a'))
      .addService(draining('b'))
      .onStopping(() => log.push('stopping'))
      .build();
    const run = ending(host.runContext());
    await host.started;
    log.length = 0;
    host.shutdown();
    expect(await run).toBe('nil');
    expect(log).toEqual([
      'a drain',
      'b drain',
      'stopping',
      'b stop',
      'b abort',
      'a stop',
      'a abort',
    ]);
  });

  it('cannot keep the host from stopping by throwing', async () => {
    const throwing = probeService('a', [], {
      beginDrain() {
        throw new Error('no');
      },
    });
    const host = builderOf().addService(throwing).build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    expect(await run).toBe('nil');
  });
});
