import { describe, expect, it } from '@jest/globals';
import { Environment } from '../environment.js';
import type { Service } from '../service.js';
import { probeService } from '../testing/probe-service.js';
import { DEFAULT_SHUTDOWN_TIMEOUT } from './signals.js';
import { Host, type HostBuilder } from './host-builder.js';
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
      .onStarted(() => {}, '')
      .withStartTimeout(0)
      .withShutdownTimeout('soon')
      .withLogger(null as never)
      .withObserver(null as never);
    expect(() => builder.build()).toThrow(
      new Error(
        [
          'hostx: the host cannot be built: 11 mistakes:',
          'service number 1: must be a service, an object with a start method',
          'service number 1: name: must be a non-empty string, not ""',
          'service a: another service has this name; choose another one',
          'service a: restart.factor: must be a number of at least 1, not 0',
          'startup task t: must be a function, not "no function"',
          'started hook number 1: name: must be a non-empty string, not ""',
          'startTimeout: must be greater than 0, not 0',
          'shutdownTimeout: "soon" is not a valid duration; use milliseconds or a string such as ' +
            '"500ms", "10s" or "1m30s"',
          'logger: must be a logger, not null',
          'observer: must be an object, not null',
          'service b: after: there is no service ghost',
        ].join('\n  '),
      ),
    );
  });

  it.each<[string, (builder: HostBuilder, timeout: number) => HostBuilder]>([
    ['bootTimeout', (builder, timeout) => builder.withBootTimeout(timeout)],
    ['startTimeout', (builder, timeout) => builder.withStartTimeout(timeout)],
    ['stopTimeout', (builder, timeout) => builder.withStopTimeout(timeout)],
    ['reloadTimeout', (builder, timeout) => builder.withReloadTimeout(timeout)],
  ])('names the %s that is 0, and takes one of a millisecond', (name, withTimeout) => {
    expect(() => withTimeout(Host.builder(), 0).build()).toThrow(
      `hostx: the host cannot be built: ${name}: must be greater than 0, not 0`,
    );
    expect(() => withTimeout(Host.builder(), 1).build()).not.toThrow();
  });

  it.each<[string, (builder: HostBuilder, step: () => void) => HostBuilder]>([
    ['startup task x', (builder, step) => builder.addStartupTask('x', step)],
    ['started hook x', (builder, step) => builder.onStarted(step, 'x')],
    ['stopping hook x', (builder, step) => builder.onStopping(step, 'x')],
    ['teardown x', (builder, step) => builder.addTeardown('x', step)],
    ['stopped hook x', (builder, step) => builder.onStopped(step, 'x')],
    ['closer x', (builder, step) => builder.addCloser('x', step)],
    ['reload hook x', (builder, step) => builder.onReload(step, 'x')],
  ])('names the %s that is no function', (who, add) => {
    expect(() => add(Host.builder(), 'no function' as never).build()).toThrow(
      `hostx: the host cannot be built: ${who}: must be a function, not "no function"`,
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
