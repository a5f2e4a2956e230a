import { fakeClock } from '@apix/contracts/testing';
import { Host, serviceFunc } from '@apix/hostx/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { type BindSystemdOptions, bindSystemd } from './bind-systemd.js';
import { type Manager, openManager } from './manager.fixture.js';
import { Notifier } from './notifier.js';

let manager: Manager;

beforeEach(() => {
  manager = openManager();
});

afterEach(() => manager.close());

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

function notifier(env: NodeJS.ProcessEnv = {}): Notifier {
  return Notifier.fromEnv({ NOTIFY_SOCKET: manager.name, ...env });
}

function hostWith(
  options: BindSystemdOptions,
  add = (builder: ReturnType<typeof Host.builder>) => builder,
) {
  const builder = Host.builder();
  bindSystemd(builder, {
    clock: fakeClock(),
    extendTimeouts: false,
    notifier: notifier(),
    ...options,
  });
  return add(builder.addService(serviceFunc('outbox', untilAborted))).build();
}

const withoutStatus = (texts: readonly string[]): string[] =>
  texts.filter((text) => !text.startsWith('STATUS='));

describe('bindSystemd()', () => {
  it('says READY after the started hooks, and STOPPING before the stopping hooks', async () => {
    const seen: string[][] = [];
    const look = (): void => void seen.push(withoutStatus(manager.received()));
    const host = hostWith({}, (builder) => builder.onStarted(look).onStopping(look));
    const run = host.runContext();
    await host.started;
    await turn();
    look();
    host.shutdown();
    await run;
    look();
    expect(seen).toEqual([[], ['READY=1'], ['STOPPING=1'], []]);
  });

  it('does not say READY when the start fails', async () => {
    const host = hostWith({}, (builder) =>
      builder.addStartupTask('migrate', () => {
        throw new Error('no database');
      }),
    );
    await expect(host.runContext()).rejects.toThrow('no database');
    expect(withoutStatus(manager.received())).toEqual(['STOPPING=1']);
  });

  it('puts RELOADING and READY around a reload', async () => {
    const host = hostWith({}, (builder) =>
      builder.onReload(() => {
        expect(withoutStatus(manager.received()).at(-1)).toMatch(/^RELOADING=1\n/);
      }),
    );
    const run = host.runContext();
    await host.started;
    await host.reload();
    expect(withoutStatus(manager.received())).toEqual(['READY=1']);
    host.shutdown();
    await run;
    expect.assertions(2);
  });

  it('tells in the status what the host waits for', async () => {
    const host = hostWith({});
    const run = host.runContext();
    await host.started;
    host.shutdown();
    await run;
    expect(manager.received().filter((text) => text.startsWith('STATUS='))).toEqual([
      'STATUS=starting',
      'STATUS=starting: waiting for outbox',
      'STATUS=starting',
      'STATUS=running',
      'STATUS=stopping',
      'STATUS=stopping: waiting for outbox',
      'STATUS=stopping',
      'STATUS=stopped',
    ]);
  });

  it('pings the watchdog twice as often as asked, while the host is healthy', async () => {
    const clock = fakeClock();
    let isHealthy = true;
    const host = hostWith({
      clock,
      healthy: () => isHealthy,
      notifier: notifier({ WATCHDOG_USEC: '2000000' }),
    });
    const pings = async (ms: number): Promise<number> => {
      manager.received();
      await clock.advance(ms);
      await turn();
      return manager.received().filter((text) => text === 'WATCHDOG=1').length;
    };
    const run = host.runContext();
    await host.started;
    await turn();
    expect(await pings(1_000)).toBe(1);
    isHealthy = false;
    expect(await pings(1_000)).toBe(0);
    isHealthy = true;
    expect(await pings(1_000)).toBe(1);
    host.shutdown();
    await run;
    expect(await pings(10_000)).toBe(0);
  });

  it('sends no ping when the check returns the result of an indicator that is down', async () => {
    const clock = fakeClock();
    const down = { db: { status: 'down' } } as unknown as boolean;
    const settings = notifier({ WATCHDOG_USEC: '2000000' });
    const host = hostWith({ clock, healthy: () => down, notifier: settings });
    const run = host.runContext();
    await host.started;
    await turn();
    expect(manager.received()).not.toContain('WATCHDOG=1');
    host.shutdown();
    await run;
  });

  it('sends no ping while the check of the health hangs, nor when it fails', async () => {
    const clock = fakeClock();
    const answers = [Promise.reject(new Error('lost')), new Promise<boolean>(() => {})];
    const host = hostWith({
      clock,
      healthy: () => answers.shift()!,
      notifier: notifier({ WATCHDOG_USEC: '2000000' }),
    });
    const run = host.runContext();
    await host.started;
    await turn();
    await clock.advance(5_000);
    await turn();
    expect(manager.received()).not.toContain('WATCHDOG=1');
    host.shutdown();
    await run;
  });

  it('asks for more time at once and every second, while starting and while stopping', async () => {
    const clock = fakeClock();
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const builder = Host.builder();
    bindSystemd(builder, { clock, notifier: notifier() });
    const host = builder.addStartupTask('migrate', () => gate).build();
    const run = host.runContext();
    await turn();
    await clock.advance(1_000);
    await turn();
    const extended = (): number =>
      manager.received().filter((text) => text === 'EXTEND_TIMEOUT_USEC=10000000').length;
    expect(extended()).toBe(2);
    open();
    await host.started;
    extended();
    await clock.advance(5_000);
    await turn();
    expect(extended()).toBe(0);
    host.shutdown();
    await run;
    expect(extended()).toBe(1);
  });

  it.each<[string, object, string | undefined, number]>([
    ['for ten minutes by default', {}, undefined, 600],
    ['for as long as extendStartFor says', { extendStartFor: '30s' }, undefined, 30],
    ['until the boot timeout where there is one', { extendStartFor: '30s' }, '2m', 120],
  ])('asks for more time for a start that hangs, %s', async (_, options, bootTimeout, times) => {
    const clock = fakeClock();
    const builder = Host.builder().withClock(clock);
    if (bootTimeout !== undefined) builder.withBootTimeout(bootTimeout);
    bindSystemd(builder, { clock, notifier: notifier(), ...options });
    const host = builder.addStartupTask('migrate', () => new Promise(() => {})).build();
    const run = host.runContext().catch(() => {});
    let asked = 0;
    let seconds = 0;
    for (; seconds < 1_200 && host.state.phase === 'starting'; seconds++) {
      await clock.advance(1_000);
      await turn();
      const more = manager.received().filter((text) => text.startsWith('EXTEND')).length;
      if (host.state.phase === 'starting') asked += more;
    }
    expect(asked).toBe(times);
    host.shutdown();
    await clock.advance(40_000);
    await run;
  });

  it('adds nothing without NOTIFY_SOCKET', async () => {
    const host = hostWith({ notifier: Notifier.fromEnv({}) });
    const run = host.runContext();
    await host.started;
    host.shutdown();
    await run;
    expect(manager.received()).toEqual([]);
  });
});

describe('the options of bindSystemd()', () => {
  const wrong: readonly (readonly [string, object, string])[] = [
    ['healthy', { healthy: true }, 'healthy: must be a function, not true'],
    ['extendTimeouts', { extendTimeouts: 'no' }, 'extendTimeouts: must be true or false, not "no"'],
    [
      'extendStartFor',
      { extendStartFor: 'soon' },
      'extendStartFor: "soon" is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"',
    ],
    ['notifier', { notifier: '/run/notify' }, 'notifier: must be a Notifier, not "/run/notify"'],
  ];
  const bound = (options: object) => (): unknown => bindSystemd(Host.builder(), options);

  it.each(wrong)('are refused with a wrong %s, also without systemd', (_, options, text) => {
    expect(bound(options)).toThrow(
      expect.objectContaining({
        name: 'OptionsError',
        message: `hostx-os: systemd: ${text}`,
        mistakes: [text],
      }),
    );
  });

  it('are reported together', () => {
    const all = Object.assign({}, ...wrong.map(([, options]) => options)) as object;
    expect(bound(all)).toThrow(
      expect.objectContaining({ mistakes: wrong.map(([, , text]) => text) }),
    );
  });
});
