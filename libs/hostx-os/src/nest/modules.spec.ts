import { HEALTH_SOURCE, type HealthAnswer, type HealthSource } from '@apix/contracts';
import { fakeClock, unreadableValues } from '@apix/contracts/testing';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { Module, type Type } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { program } from '../../../../tools/testing/program.js';
import { type Manager, openManager } from '../sdnotify/manager.fixture.js';
import { Notifier } from '../sdnotify/notifier.js';
import { waysToConfigure } from '../../../../tools/testing/module-options.js';
import { AlreadyRunningError } from '../errors.js';
import { acquireInstanceLock } from '../single/acquire-instance-lock.js';
import { SingleInstanceModule } from './single-instance.module.js';
import { SystemdModule } from './systemd.module.js';

function appWith(imports: Parameters<typeof Module>[0]['imports'], ...providers: Type[]): Type {
  @Module({ imports: [HostxModule.forRoot({}), ...(imports ?? [])], providers })
  class App {}
  return App;
}

describe('SingleInstanceModule', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'single-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('does not let a second app start, and does once the first has stopped', async () => {
    const App = appWith([SingleInstanceModule.forRoot({ path: join(folder, 'shop.lock') })]);
    const first = await startHost(App);
    await expect(startHost(App)).rejects.toThrow(`process ${process.pid} holds the lock ${folder}`);
    await first.stop();
    const second = await startHost(App);
    expect(second.host.state.phase).toBe('running');
  });
});

describe('SingleInstanceModule configured in every way', () => {
  const path = join(tmpdir(), `single-${process.pid}.lock`);
  afterEach(() => rmSync(path, { force: true }));

  it.each(waysToConfigure(SingleInstanceModule, 'createSingleInstanceOptions', { path }))(
    'holds the lock by %s',
    async (_, definition) => {
      expect(definition.global).toBe(true);
      const { stop } = await startHost(appWith([definition]));
      expect(() => acquireInstanceLock(path)).toThrow(AlreadyRunningError);
      await stop();
      acquireInstanceLock(path).release();
    },
  );

  it('is local with isGlobal: false', () => {
    expect(SingleInstanceModule.forRoot({ path, isGlobal: false }).global).toBe(false);
  });
});

describe('SystemdModule', () => {
  let manager: Manager;

  beforeEach(() => {
    manager = openManager();
  });

  afterEach(() => manager.close());

  it('tells systemd of the app, and pings while its live checks pass', async () => {
    let isAlive = true;
    class Worker implements HealthSource {
      readonly [HEALTH_SOURCE] = true as const;
      healthChecks() {
        const check = (): void => {
          if (!isAlive) throw new Error('stuck');
        };
        const unready = (): void => {
          throw new Error('busy');
        };
        return [
          { name: 'worker', affects: 'live' as const, check },
          { name: 'queue', affects: 'ready' as const, check: unready },
        ];
      }
    }
    const clock = fakeClock();
    const notifier = Notifier.fromEnv({ NOTIFY_SOCKET: manager.name, WATCHDOG_USEC: '2000000' });
    await startHost(appWith([SystemdModule.forRoot({ notifier, clock })], Worker));
    await turn();
    expect(manager.received()).toEqual(expect.arrayContaining(['READY=1', 'WATCHDOG=1']));
    isAlive = false;
    await clock.advance(1_000);
    await turn();
    expect(manager.received()).toEqual([]);
  });

  it.each<[string, HealthAnswer]>([
    ['false', false],
    ['an indicator that is down', { db: { status: 'down' } }],
  ])('does not ping while a live check returns %s', async (_, answer) => {
    class Worker implements HealthSource {
      readonly [HEALTH_SOURCE] = true as const;
      healthChecks() {
        return [{ name: 'worker', affects: 'live' as const, check: () => answer }];
      }
    }
    const clock = fakeClock();
    const notifier = Notifier.fromEnv({ NOTIFY_SOCKET: manager.name, WATCHDOG_USEC: '2000000' });
    await startHost(appWith([SystemdModule.forRoot({ notifier, clock })], Worker));
    await turn();
    const received = manager.received();
    expect(received).toContain('READY=1');
    expect(received).not.toContain('WATCHDOG=1');
  });

  describe.each([
    ...unreadableValues().map(
      ([what, thrown]) =>
        [
          `throws ${what}`,
          (): never => {
            throw thrown;
          },
        ] as const,
    ),
    ['rejects', () => Promise.reject(new Error('no pool yet'))] as const,
    ['returns a promise', () => Promise.resolve([])] as const,
    ['returns nothing', () => {}] as const,
    ['returns a check that is null', () => [null]] as const,
    [
      'returns a check that cannot be read',
      () => [new Proxy({}, { get: () => JSON.parse('{') as unknown })],
    ] as const,
    ['returns a live check without a function', () => [{ name: 'db', affects: 'live' }]] as const,
  ])('with a source that %s', (_, healthChecks) => {
    it('goes on pinging, as what cannot say how it is is not ready, not dead', async () => {
      class Worker {
        readonly [HEALTH_SOURCE] = true as const;
        readonly healthChecks = healthChecks;
      }
      const clock = fakeClock();
      const notifier = Notifier.fromEnv({ NOTIFY_SOCKET: manager.name, WATCHDOG_USEC: '2000000' });
      const { stop } = await startHost(
        appWith([SystemdModule.forRoot({ notifier, clock })], Worker),
      );
      await turn();
      expect(manager.received()).toContain('WATCHDOG=1');
      await clock.advance(1_000);
      await turn();
      expect(manager.received()).toEqual(['WATCHDOG=1']);
      await stop();
    });
  });
});

describe('the parent of an app in several processes', () => {
  it('notifies systemd and holds the lock for all of them, or they do not start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'single-'));
    const path = join(folder, 'shop.lock');
    const manager = openManager();
    process.env['NOTIFY_SOCKET'] = manager.name;
    const app = await program(new URL('./processes.fixture.ts', import.meta.url));
    try {
      const told: string[] = [];
      const child = app.run('whole', path);
      while (!told.join('\n').includes('READY=1')) {
        told.push(...manager.received());
        await turn();
      }
      expect(() => acquireInstanceLock(path)).toThrow(
        `process ${child.process.pid} holds the lock`,
      );
      child.process.kill('SIGHUP');
      while (!/RELOADING=1[^]*READY=1/.test(told.join('\n'))) {
        told.push(...manager.received());
        await turn();
      }
      child.process.kill('SIGTERM');
      expect((await child.ended).code).toBe(0);
      expect(manager.received().join('\n')).toContain('STOPPING=1');
      expect(told.join('\n').match(/^READY=1$/gm)).toHaveLength(2);
      const { err } = await app.run('without-lock', path).ended;
      expect(err).toContain(
        `hostx-os: of an app in several processes, the parent has to hold the lock ${path}`,
      );
      const without = await app.run('without-systemd', path).ended;
      expect(without.err).toContain(
        'systemd listens to the parent alone; call bindSystemd in processes.parent',
      );
      expect(without.code).toBe(1);
    } finally {
      delete process.env['NOTIFY_SOCKET'];
      manager.close();
      await app.remove();
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});
