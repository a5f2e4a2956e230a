import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { type Manager, openManager } from './manager.fixture.js';
import { Notifier } from './notifier.js';
import { socketAddress } from './notify-socket.js';

let manager: Manager | undefined;

afterEach(() => {
  manager?.close();
  manager = undefined;
});

function notifier(env: NodeJS.ProcessEnv = {}, isAbstract = false): Notifier {
  manager = openManager(isAbstract);
  return Notifier.fromEnv({ NOTIFY_SOCKET: manager.name, ...env });
}

describe('the notifier', () => {
  it.each([
    ['a path', false],
    ['an abstract name', true],
  ])('tells systemd over %s', (_, isAbstract) => {
    const systemd = notifier({}, isAbstract);
    systemd.ready();
    systemd.stopping();
    systemd.watchdog();
    systemd.extendTimeout(1_500);
    expect(manager!.received()).toEqual([
      'READY=1',
      'STOPPING=1',
      'WATCHDOG=1',
      'EXTEND_TIMEOUT_USEC=1500000',
    ]);
    systemd.close();
  });

  it('gives a reload the monotonic time that notify-reload asks for', () => {
    const before = process.hrtime.bigint() / 1_000n;
    notifier().reloading();
    const [text] = manager!.received();
    const [, time] = /^RELOADING=1\nMONOTONIC_USEC=(\d+)$/.exec(text!)!;
    expect(BigInt(time!)).toBeGreaterThanOrEqual(before);
    expect(BigInt(time!)).toBeLessThanOrEqual(process.hrtime.bigint() / 1_000n);
  });

  it('sends a status in one line, and the same one once', () => {
    const systemd = notifier();
    systemd.status('starting');
    systemd.status('starting');
    systemd.status('two\nREADY=1');
    expect(manager!.received()).toEqual(['STATUS=starting', 'STATUS=two READY=1']);
  });

  it('leaves no children a socket to speak with', () => {
    manager = openManager();
    const env: NodeJS.ProcessEnv = {
      NOTIFY_SOCKET: manager.name,
      WATCHDOG_USEC: '1000000',
      WATCHDOG_PID: String(process.pid),
      PATH: '/bin',
    };
    Notifier.fromEnv(env);
    expect(env).toEqual({ PATH: '/bin' });
  });

  it.each([
    [{ WATCHDOG_USEC: '2000000' }, 2_000],
    [{ WATCHDOG_USEC: '2000000', WATCHDOG_PID: String(process.pid) }, 2_000],
    [{ WATCHDOG_USEC: '2000000', WATCHDOG_PID: '1' }, null],
    [{ WATCHDOG_USEC: '0' }, null],
    [{ WATCHDOG_USEC: 'soon' }, null],
    [{}, null],
  ])('reads the watchdog from %j as %s ms', (env, ms) => {
    expect(notifier(env).watchdogMs).toBe(ms);
  });

  it('is a no-op without NOTIFY_SOCKET', () => {
    const systemd = Notifier.fromEnv({ WATCHDOG_USEC: '1000' });
    systemd.ready();
    systemd.status('text');
    expect(systemd.isEnabled).toBe(false);
    expect(systemd.watchdogMs).toBeNull();
  });

  it.each([
    ['relative', 'must start with "/" or "@", not be "relative"'],
    ['vsock:2:1', 'must start with "/" or "@", not be "vsock:2:1"'],
    [`/${'x'.repeat(200)}`, 'must be at most 108 bytes long, not 202'],
  ])('warns of the address %s, and goes on', (name, problem) => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    expect(Notifier.fromEnv({ NOTIFY_SOCKET: name }).isEnabled).toBe(false);
    const detail = `hostx-os: NOTIFY_SOCKET ${problem}`;
    expect(warn).toHaveBeenCalledWith('hostx-os: cannot notify systemd', { detail });
    warn.mockRestore();
  });

  it('loses no message to a manager that is busy, and keeps their order', async () => {
    const systemd = notifier();
    for (let count = 0; count < 20; count++) systemd.status(`waiting ${count}`);
    systemd.ready();
    systemd.reloading();
    systemd.ready();
    systemd.stopping();
    const received: string[] = [];
    await until(() => {
      received.push(...manager!.received());
      return received.at(-1) === 'STOPPING=1';
    });
    const states = received.filter((text) => !text.startsWith('STATUS='));
    expect(states.map((text) => text.split('\n')[0])).toEqual([
      'READY=1',
      'RELOADING=1',
      'READY=1',
      'STOPPING=1',
    ]);
    // The latest status is the one that is left of those that found no room.
    expect(received.findLast((text) => text.startsWith('STATUS='))).toBe('STATUS=waiting 19');
    expect(received.length).toBeLessThan(24);
    systemd.close();
  });

  it('sends what has waited when it closes, where there is room by then', () => {
    const systemd = notifier();
    for (let count = 0; count < 20; count++) systemd.watchdog();
    systemd.stopping();
    expect(manager!.received()).not.toContain('STOPPING=1');
    systemd.close();
    expect(manager!.received().at(-1)).toBe('STOPPING=1');
  });

  it('neither waits nor throws when nobody reads, or nobody is there', () => {
    const systemd = notifier();
    for (let count = 0; count < 1_000; count++) systemd.watchdog();
    expect(manager!.received().length).toBeLessThan(1_000);
    manager!.close();
    manager = undefined;
    expect(() => systemd.ready()).not.toThrow();
  });
});

describe('an address', () => {
  it.each([
    ['/run/systemd/notify', '\x01\0/run/systemd/notify\0'],
    ['@/org/x', '\x01\0\0/org/x'],
  ])('%s is a sockaddr_un', (name, bytes) => {
    expect(socketAddress(name).toString('latin1')).toBe(bytes);
  });

  it('may have 107 bytes as a path, and 108 with the @ as an abstract name', () => {
    expect(() => socketAddress(`/${'x'.repeat(106)}`)).not.toThrow();
    expect(() => socketAddress(`/${'x'.repeat(107)}`)).toThrow(RangeError);
    expect(() => socketAddress(`@${'x'.repeat(107)}`)).not.toThrow();
    expect(() => socketAddress(`@${'x'.repeat(108)}`)).toThrow(RangeError);
  });
});
