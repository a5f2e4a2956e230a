import { afterAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Host } from '../host/host-builder.js';
import { never } from '../host/host.fixture.js';
import { HostRef } from '../nest/host-ref.js';
import { HostxModule } from '../nest/hostx.module.js';
import { fakeClock } from './index.js';
import { probeService } from './probe-service.js';
import { Recorder } from './recorder.js';
import { startHost } from './start-host.js';

const log: string[] = [];

describe('startHost', () => {
  it('resolves when every service is ready', async () => {
    const { host } = await startHost(Host.builder().addService(probeService('left', log)));
    expect(host.state.phase).toBe('running');
  });

  it('stops by itself what a test has left running', () => {
    expect(log).toEqual(['left start', 'left stop', 'left abort']);
  });

  it('fails on build errors', async () => {
    await expect(startHost(Host.builder().withStartTimeout(0))).rejects.toThrow(
      'hostx: the host cannot be built',
    );
  });

  it('fails on a start that fails', async () => {
    const builder = Host.builder().addStartupTask('t', () => Promise.reject(new Error('boom')));
    await expect(startHost(builder)).rejects.toThrow('hostx: startup task t: boom');
  });

  it('fails on a start that is shut down', async () => {
    @Injectable()
    class Hasty {
      constructor(host: HostRef) {
        host.shutdown();
      }
    }
    @Module({ imports: [HostxModule.forRoot({})], providers: [Hasty] })
    class Root {}
    await expect(startHost(Root)).rejects.toThrow(
      'hostx: the host was shut down before it was ready',
    );
  });

  it('fails on a start that hangs, and says what it waits for', async () => {
    const builder = Host.builder().addService(probeService('slow', [], { ready: never }));
    await expect(startHost(builder, { timeout: 20 })).rejects.toThrow(
      'hostx: the start hangs; the host is starting (slow: starting)',
    );
  });

  it('stop() resolves with the error of the run', async () => {
    const stop = (): never => {
      throw new Error('boom');
    };
    const started = await startHost(Host.builder().addService(probeService('x', [], { stop })));
    expect((await started.stop())?.message).toBe('hostx: service x: stop: boom');
  });

  it('may be used with await using', async () => {
    const mine: string[] = [];
    {
      await using started = await startHost(Host.builder().addService(probeService('x', mine)));
      expect(started.app).toBeNull();
    }
    expect(mine).toEqual(['x start', 'x stop', 'x abort']);
  });

  it('lets a fake clock drive the backoff', async () => {
    const clock = fakeClock();
    const recorder = new Recorder();
    let runs = 0;
    const builder = Host.builder()
      .withClock(clock)
      .withObserver(recorder.observer)
      .addService(
        {
          name: 'frail',
          start: (signal) => {
            runs += 1;
            if (runs === 2) return Promise.reject(new Error('boom'));
            return new Promise((resolve, reject) => {
              signal.addEventListener('abort', () => resolve());
              if (runs === 1) clock.after(10, () => reject(new Error('boom')));
            });
          },
        },
        { restart: {} },
      );
    await startHost(builder);
    await clock.advance(10);
    expect(await recorder.waitFor('serviceRestarting', 'frail')).toBe(true);
    await clock.advance(1_000 + 2_000);
    expect(runs).toBe(3);
    expect(recorder.has('serviceRestarting', 'other')).toBe(false);
    expect(recorder.has('serviceRestarting')).toBe(true);
    expect(await recorder.waitFor('serviceFailed', '', 1)).toBe(false);
  });
});

describe('a host started outside of a test', () => {
  const outside: string[] = [];
  const started = startHost(Host.builder().addService(probeService('all', outside)));
  afterAll(() => {
    // Registered before the clean-up of this file runs its own.
    expect(outside[0]).toBe('all start');
  });

  it.each([1, 2])('outlives each test (%i)', async () => {
    expect((await started).host.state.phase).toBe('running');
  });
});
