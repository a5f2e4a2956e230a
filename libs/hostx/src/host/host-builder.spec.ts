import { describe, expect, it } from '@jest/globals';
import { Environment } from '../environment.js';
import type { Service } from '../service.js';
import { probeService } from '../testing/probe-service.js';
import { DEFAULT_SHUTDOWN_TIMEOUT, Host } from './host-builder.js';
import { never } from './host.fixture.js';

describe('build()', () => {
  it('joins every mistake of the builder', () => {
    const builder = Host.builder()
      .addService(null as unknown as Service)
      .addService(probeService('', []))
      .addService(probeService('a', []))
      .addService(probeService('a', []), { restart: { factor: 0 } })
      .addService(probeService('b', []), { after: ['ghost'] })
      .addStartupTask('t', 'no function' as unknown as () => void)
      .withStartTimeout(0)
      .withShutdownTimeout('soon')
      .withLogger(null as never)
      .withObserver(null as never);
    expect(() => builder.build()).toThrow(
      new Error(
        'hostx: the host cannot be built: ' +
          [
            'service number 1 is no service',
            'service number 1 has no name',
            'service a: the name is taken',
            'service a: restart policy: factor: 0 is below 1, delays would shrink',
            'startup task t is no function',
            'start timeout: must be longer than nothing',
            'shutdown timeout: "soon" is no duration; write milliseconds or a text such as ' +
              '"500ms", "10s" or "1m30s"',
            'the logger is missing',
            'an observer is missing',
            'service b: comes after ghost, which nobody registered',
          ].join('; '),
      ),
    );
  });

  it('has the defaults of the spec', () => {
    const host = Host.builder().build();
    expect(host.shutdownTimeout).toBe(DEFAULT_SHUTDOWN_TIMEOUT);
    expect(DEFAULT_SHUTDOWN_TIMEOUT).toBe(30_000);
    expect(host.state).toMatchObject({ phase: 'idle', services: [] });
  });

  it.each([
    ['Staging', 'staging'],
    [new Environment('QA'), 'qa'],
  ])('takes the environment %s', (environment, name) => {
    expect(Host.builder().withEnvironment(environment).build().environment.is(name)).toBe(true);
  });

  it('makes a host that later calls of the builder do not change', async () => {
    const builder = Host.builder().addService(probeService('a', []));
    const host = builder.build();
    builder.addStartupTask('later', never);
    const run = host.runContext();
    expect(await host.started).toBe(true);
    host.shutdown();
    await run;
  });
});
