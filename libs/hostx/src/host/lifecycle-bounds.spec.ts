import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import type { HostLogger } from '../log/host-logger.js';
import { render } from '../log/template.js';
import { probeService } from '../testing/probe-service.js';
import type { HostBuilder } from './host-builder.js';
import { builderOf, ending, never } from './host.fixture.js';

function collecting(lines: string[]): HostLogger {
  const write =
    (level: string) =>
    (template: string, ...args: unknown[]): void =>
      void lines.push(`${level} ${render(template, args).message}`);
  const error = write('error');
  return {
    information: write('information'),
    warning: write('warning'),
    error: (thrown, template, ...args) =>
      error(`${render(template, args).message}: ${(thrown as Error).message}`),
  };
}

describe('the boot timeout', () => {
  it.each<[string, (builder: HostBuilder) => HostBuilder, string]>([
    [
      'a startup task',
      (builder) => builder.addStartupTask('migrate', never),
      'startup task migrate; hostx: startup task migrate: did not finish in time; abandoned',
    ],
    [
      'the readiness of services',
      (builder) =>
        builder
          .addService(probeService('db', [], { ready: never }))
          .addService(probeService('web', [])),
      'service db (starting), service web (waiting)',
    ],
    [
      'a started hook',
      (builder) => builder.onStarted(never, 'warm-up'),
      'started hook warm-up; hostx: started hook warm-up: did not finish in time; abandoned',
    ],
  ])('ends a start in which %s hangs, and names it', async (_, add, named) => {
    const clock = fakeClock();
    const host = add(builderOf(clock).withBootTimeout('1m').withShutdownTimeout('5s')).build();
    expect(host.bootTimeout).toBe(60_000);
    const run = ending(host.runContext());
    await clock.advance(59_999);
    expect(host.state.phase).toBe('starting');
    await clock.advance(1);
    expect(host.state.phase).toMatch(/^stop/);
    await clock.advance(10_000);
    expect(await run).toBe(`hostx: not started within the boot timeout of 60000 ms: ${named}`);
    expect(clock.pending).toBe(0);
  });

  it('does nothing once the host has started', async () => {
    const clock = fakeClock();
    const host = builderOf(clock).withBootTimeout('1m').build();
    const run = ending(host.runContext());
    expect(await host.started).toBe(true);
    await clock.advance(0);
    expect(clock.pending).toBe(0);
    await clock.advance(120_000);
    expect(host.state.phase).toBe('running');
    host.shutdown();
    expect(await run).toBe('nil');
  });
});

describe('what a host waits for', () => {
  it('is logged while a start hangs, after 10 s, 30 s and 70 s, and while a stop does', async () => {
    const clock = fakeClock();
    const lines: string[] = [];
    const host = builderOf(clock)
      .withLogger(collecting(lines))
      .withShutdownTimeout('15s')
      .addStartupTask('app.init()', never)
      .build();
    const run = ending(host.runContext());
    await clock.advance(70_000);
    host.shutdown();
    await clock.advance(16_000);
    await run;
    expect(lines.filter((line) => line.includes('still'))).toEqual([
      'warning Host is still starting after 10000 ms and waits for startup task app.init()',
      'warning Host is still starting after 30000 ms and waits for startup task app.init()',
      'warning Host is still starting after 70000 ms and waits for startup task app.init()',
      'warning Host is still stopping after 10000 ms and waits for startup task app.init()',
    ]);
  });

  it('is no step that has ended', async () => {
    const clock = fakeClock();
    const lines: string[] = [];
    const host = builderOf(clock)
      .withLogger(collecting(lines))
      .withShutdownTimeout('15s')
      .addStartupTask('migrate', () => {})
      .onStarted(() => {}, 'tell')
      .addTeardown('frame', () => {})
      .addCloser('log', never)
      .build();
    const run = ending(host.runContext());
    expect(await host.started).toBe(true);
    host.shutdown();
    await clock.advance(16_000);
    await run;
    expect(lines.filter((line) => line.includes('still'))).toEqual([
      'warning Host is still stopping after 10000 ms and waits for log',
    ]);
  });

  it('is counted where it is more than ten', async () => {
    const clock = fakeClock();
    const lines: string[] = [];
    const builder = builderOf(clock).withLogger(collecting(lines));
    for (let at = 1; at <= 12; at++)
      builder.addService(probeService(`s${at}`, [], { ready: never }));
    const host = builder.build();
    const run = ending(host.runContext());
    await clock.advance(10_000);
    expect(lines.at(-1)).toMatch(/service s1 \(starting\), service s2 \(waiting\), .* and 2 more$/);
    host.shutdown();
    await run;
  });
});

describe('a service that hangs while it stops', () => {
  it('is abandoned after the stop timeout, and leaves time to the others', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    const slow = () => new Promise<void>((resolve) => void clock.after(2_000, resolve));
    const host = builderOf(clock)
      .withStopTimeout('5s')
      .addService(probeService('slow', log, { stop: slow }))
      .addService(probeService('stuck', log, { stop: never }))
      .addService(probeService('patient', log, { stop: slow }), { stopTimeout: '1s' })
      .build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    await clock.advance(8_000);
    expect(await run).toBe(
      'hostx: service patient: did not stop within 1000 ms; abandoned; ' +
        'hostx: service stuck: did not stop within 5000 ms; abandoned',
    );
    expect(host.state.services.map(({ state }) => state)).toEqual([
      'stopped',
      'abandoned',
      'abandoned',
    ]);
    await clock.advance(10_000);
    expect(clock.pending).toBe(0);
  });

  it('is blamed for the time that others have not got', async () => {
    const clock = fakeClock();
    const slow = () => new Promise<void>((resolve) => void clock.after(1, resolve));
    const host = builderOf(clock)
      .withShutdownTimeout('5s')
      .addService(probeService('innocent', [], { stop: slow }))
      .addService(probeService('stuck', [], { stop: never }))
      .build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    await clock.advance(5_000);
    expect(await run).toBe(
      'hostx: service stuck: did not stop within 5000 ms; abandoned; ' +
        'hostx: service innocent: had no time left to stop, because others had used it up; abandoned',
    );
  });

  it('is logged when it is abandoned, not when all have stopped', async () => {
    const clock = fakeClock();
    const lines: string[] = [];
    const slow = () => new Promise<void>((resolve) => void clock.after(3_000, resolve));
    const host = builderOf(clock)
      .withLogger(collecting(lines))
      .withStopTimeout('5s')
      .addService(probeService('slow', [], { stop: slow }))
      .addService(probeService('stuck', [], { stop: never }))
      .build();
    const run = ending(host.runContext());
    await host.started;
    host.shutdown();
    await clock.advance(5_000);
    expect(host.state.phase).toBe('stopping');
    expect(lines).toContain(
      'error Host failed: hostx: service stuck: did not stop within 5000 ms; abandoned',
    );
    await clock.advance(3_000);
    await run;
  });
});

describe('a step of the start that a shutdown gives up', () => {
  it('is told by its name', async () => {
    const clock = fakeClock();
    const host = builderOf(clock).addStartupTask('migrate', never).build();
    const run = ending(host.runContext());
    host.shutdown();
    await clock.advance(31_000);
    expect(await run).toBe('hostx: startup task migrate: did not finish in time; abandoned');
  });
});

describe('a reload hook', () => {
  it('that hangs is abandoned after the reload timeout, and the next ones run', async () => {
    const clock = fakeClock();
    const log: string[] = [];
    const host = builderOf(clock)
      .withReloadTimeout('2s')
      .onReload((signal) => {
        signal.addEventListener('abort', () => void log.push('aborted'));
        return never();
      }, 'config')
      .onReload(() => void log.push('levels'))
      .build();
    const run = ending(host.runContext());
    await host.started;
    const reloads = [ending(host.reload()), ending(host.reload())];
    await clock.advance(2_000);
    expect(log).toEqual(['aborted', 'levels']);
    await clock.advance(2_000);
    const text =
      'hostx: reload hook config: did not finish within the reload timeout of 2000 ms; abandoned';
    expect(await Promise.all(reloads)).toEqual([text, text]);
    host.shutdown();
    expect(await run).toBe('nil');
    expect(clock.pending).toBe(0);
  });

  it('that hangs holds nothing once the host stops', async () => {
    const clock = fakeClock();
    const host = builderOf(clock).onReload(never, 'config').build();
    const run = ending(host.runContext());
    await host.started;
    const reload = ending(host.reload());
    await clock.advance(1);
    host.shutdown();
    expect([await run, await reload]).toEqual(['nil', 'nil']);
    expect(clock.pending).toBe(0);
  });

  it('that is not there is not reported as reloaded', async () => {
    const lines: string[] = [];
    const host = builderOf().withLogger(collecting(lines)).build();
    const run = ending(host.runContext());
    await host.started;
    await host.reload();
    host.shutdown();
    await run;
    expect(lines.filter((line) => /reload/i.test(line))).toEqual([
      'warning Nothing was reloaded: there is no reload hook',
    ]);
  });

  it('that the stop cuts off is not reported as reloaded, nor as missing', async () => {
    const lines: string[] = [];
    const host = builderOf()
      .withLogger(collecting(lines))
      .onReload(() => {
        host.shutdown();
        return never();
      }, 'config')
      .build();
    const run = ending(host.runContext());
    await host.started;
    await host.reload();
    await run;
    expect(lines.filter((line) => /reload/i.test(line))).toEqual([]);
  });

  it('that fails is not followed by a line that says it was reloaded', async () => {
    const lines: string[] = [];
    let isBad = true;
    const host = builderOf()
      .withLogger(collecting(lines))
      .onReload(() => {
        if (isBad) throw new Error('bad file');
      }, 'config')
      .build();
    const run = ending(host.runContext());
    await host.started;
    await ending(host.reload());
    isBad = false;
    await ending(host.reload());
    host.shutdown();
    await run;
    expect(
      lines.filter((line) => /reload/i.test(line)).map((line) => line.replace(/\d+/, '0')),
    ).toEqual([
      'error Reload hook failed: hostx: reload hook config: bad file',
      'warning Reload failed after 0 ms',
      'information Reloaded in 0 ms: config',
    ]);
  });
});
