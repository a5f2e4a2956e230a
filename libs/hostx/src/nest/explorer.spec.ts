import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, Scope } from '@nestjs/common';
import { type Deadline } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import type { StopInfo } from '../host/host-plan.js';
import type { Hosted, ServiceContext } from '../service.js';
import { startHost } from '../testing/start-host.js';
import { OnStarted, OnStopping, StartupTask } from './hook.decorators.js';
import { HOST_EXTENSION, type HostExtension } from './host-extension.js';
import { HostedService, type HostedServiceOptions } from './hosted-service.decorator.js';

class Waiting implements Hosted {
  async start(signal: AbortSignal): Promise<void> {
    await untilAborted(signal);
  }
}

function hosted(options: HostedServiceOptions | string) {
  @HostedService(typeof options === 'string' ? { name: options } : options)
  class Made extends Waiting {}
  return Made;
}

async function names(module: Parameters<typeof startHost>[0]): Promise<string[]> {
  const { host, stop } = await startHost(module, { http: false });
  const found = host.state.services.map(({ name }) => name);
  await stop();
  return found;
}

describe('the explorer', () => {
  it('takes the order of Nest: far modules first, then the order of providers', async () => {
    @Module({ providers: [hosted('leaf-1'), hosted('leaf-2')] })
    class Leaf {}
    @Module({ imports: [Leaf], providers: [hosted('middle')] })
    class Middle {}
    @Module({ imports: [Middle], providers: [hosted('root')] })
    class Root {}
    expect(await names(Root)).toEqual(['leaf-1', 'leaf-2', 'middle', 'root']);
  });

  it('puts transports last, wherever they are registered', async () => {
    @Module({ providers: [hosted({ name: 'grpc', tier: 'transport' })] })
    class Leaf {}
    @Module({ imports: [Leaf], providers: [hosted('outbox')] })
    class Root {}
    expect(await names(Root)).toEqual(['outbox', 'grpc']);
  });

  it('counts an instance once, however many aliases and imports it has', async () => {
    const One = hosted('one');
    @Module({ providers: [One, { provide: 'alias', useExisting: One }], exports: [One] })
    class Leaf {}
    @Module({ imports: [Leaf], providers: [{ provide: 'other', useExisting: One }] })
    class Root {}
    expect(await names(Root)).toEqual(['one']);
  });

  it.each([
    ['request', Scope.REQUEST],
    ['transient', Scope.TRANSIENT],
  ])('refuses a hosted service of %s scope', async (_, scope) => {
    @HostedService({ name: 'many' })
    @Injectable({ scope })
    class Many extends Waiting {}
    @Module({ providers: [Many] })
    class Root {}
    await expect(names(Root)).rejects.toThrow(
      'hostx: the host cannot be built: service many: must be a singleton, but Many is request- ' +
        'or transient-scoped, or depends on such a provider',
    );
  });

  it('refuses a hosted class without start, and names it', async () => {
    class Forgotten {
      readonly start = undefined;
    }
    HostedService({ name: 'outbox' })(Forgotten as never);
    @Module({ providers: [Forgotten] })
    class Root {}
    await expect(names(Root)).rejects.toThrow(
      'hostx: the host cannot be built: service outbox: Forgotten must have a method start, ' +
        'which runs until its signal aborts',
    );
  });

  it('runs an inherited hook once, also where it is overridden', async () => {
    const log: string[] = [];
    class Base {
      @OnStarted() started() {
        log.push('base');
      }

      @StartupTask('prepare') prepare() {
        log.push('prepare');
      }
    }
    @Injectable()
    class Derived extends Base {
      @OnStarted() override started() {
        log.push('derived');
      }
    }
    @Module({ providers: [Derived] })
    class Root {}
    await names(Root);
    expect(log).toEqual(['prepare', 'derived']);
  });

  it.each<[string, Partial<HostedServiceOptions>]>([
    ['completes: true', { completes: true }],
    ["restart: 'on-failure'", { restart: 'on-failure' }],
  ])('lets a hosted class with %s complete, and the one after it start', async (_, options) => {
    @HostedService({ name: 'warm-up', ...options })
    class WarmUp implements Hosted {
      start(): void {}
    }
    @Module({ providers: [WarmUp, hosted('web')] })
    class Root {}
    const { host, stop } = await startHost(Root, { http: false });
    expect(host.state.services).toMatchObject([
      { name: 'warm-up', state: 'completed', restarts: 0 },
      { name: 'web', state: 'ready' },
    ]);
    expect(host.state.phase).toBe('running');
    expect(await stop()).toBeUndefined();
  });

  it("restarts a hosted class with restart: 'on-failure' after an error, until it completes", async () => {
    const starts: number[] = [];
    @HostedService({ name: 'import', restart: 'on-failure' })
    class Import implements Hosted {
      start(): void {
        if (starts.push(starts.length) < 2) throw new Error('not yet');
      }
    }
    @Module({ providers: [Import] })
    class Root {}
    const { host, stop } = await startHost(Root, { http: false });
    expect(starts).toHaveLength(2);
    expect(host.state.services).toMatchObject([{ state: 'completed', restarts: 1 }]);
    expect(await stop()).toBeUndefined();
  });

  it('stops the host where a hosted class without either returns', async () => {
    @HostedService({ name: 'short' })
    class Short implements Hosted {
      start(): void {}
    }
    @Module({ providers: [Short] })
    class Root {}
    await expect(names(Root)).rejects.toThrow(
      'hostx: service short: ended before shutdown without an error',
    );
  });

  it('gives a hosted class the log of the host, and a stopping hook how far it had come', async () => {
    const told: unknown[] = [];
    @HostedService({ name: 'worker' })
    class Worker implements Hosted {
      async start(signal: AbortSignal, context?: ServiceContext): Promise<void> {
        told.push(typeof context?.log.error);
        await untilAborted(signal);
      }

      @OnStopping() stopping(_deadline: Deadline, stop: StopInfo): void {
        told.push(stop.started);
      }
    }
    @Module({ providers: [Worker] })
    class Root {}
    await names(Root);
    expect(told).toEqual(['function', 'all']);
  });

  it('lets an extension add services at its place in the order', async () => {
    @Injectable()
    class Jobs implements HostExtension {
      readonly [HOST_EXTENSION] = true as const;

      extend(builder: Parameters<HostExtension['extend']>[0]) {
        builder.addService({ name: 'job', start: (signal) => untilAborted(signal) });
      }
    }
    @Module({ providers: [hosted('first'), Jobs, hosted('last')] })
    class Root {}
    expect(await names(Root)).toEqual(['first', 'job', 'last']);
  });
});
