import { describe, expect, it } from '@jest/globals';
import { type UnitConfig, systemdUnit } from './systemd-unit.js';

const SHOP = { description: 'The shop', execStart: '/usr/bin/node /srv/shop/main.js' };

describe('systemdUnit()', () => {
  it('is a notify service that is restarted on failure and reloaded by SIGHUP', () => {
    expect(systemdUnit(SHOP).split('\n')).toEqual(
      expect.arrayContaining([
        'Description=The shop',
        'Type=notify',
        'ExecStart=/usr/bin/node /srv/shop/main.js',
        'ExecReload=/bin/kill -HUP $MAINPID',
        'TimeoutStopSec=35s',
        'Restart=on-failure',
      ]),
    );
  });

  it('carries what it is given', () => {
    const text = systemdUnit({
      ...SHOP,
      user: 'shop',
      watchdogSec: '1m30s',
      timeoutStopSec: 40_000,
      workingDirectory: '/srv/shop',
      stateDirectory: 'shop/eu-1',
      environment: { NAME: 'a "b" \\ %h' },
    });
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'User=shop',
        'WatchdogSec=90s',
        'TimeoutStopSec=40s',
        'WorkingDirectory=/srv/shop',
        'StateDirectory=shop/eu-1',
        'Environment="NAME=a \\"b\\" \\\\ %%h"',
      ]),
    );
  });

  it('has an environment file, other units, a group, limits and another restart', () => {
    const text = systemdUnit({
      ...SHOP,
      user: 'shop',
      group: 'web',
      environmentFile: '-/etc/shop/100%.env',
      after: ['redis.service', 'postgresql@17-main.service'],
      requires: ['postgresql@17-main.service', 'srv-data.mount'],
      limits: {
        nofile: '65536:524288',
        nproc: 512,
        core: 0,
        memoryHigh: '400M',
        memoryMax: '20%',
        tasksMax: 128,
        cpuQuota: '150%',
      },
      restart: 'always',
      restartSec: '2.5s',
    });
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'Requires=postgresql@17-main.service srv-data.mount',
        'After=network-online.target postgresql@17-main.service srv-data.mount redis.service',
        'Group=web',
        'EnvironmentFile=-/etc/shop/100%%.env',
        'LimitNOFILE=65536:524288',
        'LimitNPROC=512',
        'LimitCORE=0',
        'MemoryHigh=400M',
        'MemoryMax=20%',
        'TasksMax=128',
        'CPUQuota=150%',
        'Restart=always',
        'RestartSec=2.5s',
      ]),
    );
    expect(text).not.toContain('Restart=on-failure');
  });

  it.each<[Partial<UnitConfig>, string]>([
    [
      { environmentFile: 'shop.env' },
      'environmentFile: must be an absolute path without spaces and quotes, or one after "-", not "shop.env"',
    ],
    [
      { environmentFile: '/a\nUser=root' },
      'environmentFile: must be an absolute path without spaces and quotes, or one after "-", not "/a\\nUser=root"',
    ],
    [
      { after: ['postgresql'] },
      'after[0]: must be the name of a unit, such as postgresql.service, not "postgresql"',
    ],
    [
      { requires: ['a.service\nUser=root'] },
      'requires[0]: must be the name of a unit, such as postgresql.service, not "a.service\\nUser=root"',
    ],
    [{ group: 'a b' }, 'group: must be the name or the number of a group, not "a b"'],
    [
      { restart: 'sometimes' as 'always' },
      'restart: must be one of "no", "always", "on-success", "on-failure", "on-abnormal", "on-abort", "on-watchdog", not "sometimes"',
    ],
    [{ restartSec: 0 }, 'restartSec: must be greater than 0, not 0'],
    [
      { limits: { memoryMax: '512MB' } },
      'limits.memoryMax: must be a number of bytes, also with K, M, G or T, a share such as 20%, or infinity, not "512MB"',
    ],
    [
      { limits: { nofile: -1 } },
      'limits.nofile: must be a whole number, infinity, or two of them with ":", not -1',
    ],
    [
      { limits: { cpuQuota: '0%' } },
      'limits.cpuQuota: must be a share such as 50%, or more than 100% for several processors, not "0%"',
    ],
    [
      { limits: { nofiles: 1 } } as object,
      'limits.nofiles: is not known here; did you mean nofile?',
    ],
  ])('refuses %j', (more, mistake) => {
    expect(() => systemdUnit({ ...SHOP, ...more })).toThrow(
      expect.objectContaining({ mistakes: expect.arrayContaining([mistake]) }),
    );
  });

  it('reloads by SIGHUP, or replaces the processes of the app by SIGUSR2', () => {
    expect(systemdUnit(SHOP)).toContain('ExecReload=/bin/kill -HUP $MAINPID\n');
    const text = systemdUnit({ ...SHOP, onReload: 'restart' });
    expect(text).toContain('ExecReload=/bin/kill -USR2 $MAINPID\n');
    expect(() => systemdUnit({ ...SHOP, onReload: 'restart', type: 'notify-reload' })).toThrow(
      'onReload: must not be "restart" with the type notify-reload',
    );
  });

  it('leaves the reload to the protocol with notify-reload', () => {
    const text = systemdUnit({ ...SHOP, type: 'notify-reload' });
    expect(text).toContain('Type=notify-reload\n');
    expect(text).not.toContain('ExecReload');
  });

  it('puts the service into a sandbox, in which it writes to its own folders alone', () => {
    const lines = systemdUnit({ ...SHOP, user: 'shop' }).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'NoNewPrivileges=yes',
        'ProtectSystem=strict',
        'ReadOnlyPaths=/run',
        'ProtectHome=yes',
        'PrivateTmp=yes',
        'PrivateDevices=yes',
        'CapabilityBoundingSet=',
        'SystemCallFilter=@system-service',
      ]),
    );
    expect(
      lines.filter((line) => /^(?:MemoryDenyWriteExecute|ReadWritePaths)=/.test(line)),
    ).toEqual([]);
  });

  it('opens the sandbox as far as it is asked to', () => {
    const text = systemdUnit({
      ...SHOP,
      user: 'shop',
      readWritePaths: ['/var/log/shop', '/srv/100%'],
      capabilities: ['CAP_NET_BIND_SERVICE', 'CAP_SYS_NICE'],
    });
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'ReadWritePaths=/var/log/shop',
        'ReadWritePaths=/srv/100%%',
        'CapabilityBoundingSet=CAP_NET_BIND_SERVICE CAP_SYS_NICE',
        'AmbientCapabilities=CAP_NET_BIND_SERVICE CAP_SYS_NICE',
      ]),
    );
  });

  it.each<[string, Partial<UnitConfig>, string]>([
    ['hides homes', {}, 'yes'],
    ['shows homes when Node is in one', { execStart: '/home/ada/.nvm/node main.js' }, 'read-only'],
    ['shows homes when an argument is in one', { execStart: '/bin/node --x=/root/a' }, 'read-only'],
    ['shows homes when it runs in one', { workingDirectory: '/home/ada' }, 'read-only'],
    ['shows homes when a variable names one', { environment: { A: '/home/ada/x' } }, 'read-only'],
    ['shows homes when it writes to one', { readWritePaths: ['/home/ada/x'] }, 'read-only'],
    ['is not misled by other folders', { workingDirectory: '/srv/home/rooted' }, 'yes'],
  ])('%s', (_, more, expected) => {
    expect(systemdUnit({ ...SHOP, ...more })).toContain(`\nProtectHome=${expected}\n`);
  });

  it('leaves root its capabilities and shared memory', () => {
    const text = systemdUnit(SHOP);
    expect(text).toContain('NoNewPrivileges=yes\n');
    expect(text).not.toMatch(/^(?:CapabilityBoundingSet|RemoveIPC)=/m);
  });

  it('has no sandbox when that is switched off', () => {
    const text = systemdUnit({
      ...SHOP,
      user: 'shop',
      sandbox: false,
      capabilities: ['CAP_SYS_NICE'],
    });
    expect(text).not.toMatch(/^(?:Protect|Private|Restrict|NoNew|SystemCall|CapabilityB|#)/m);
    expect(text).toContain('AmbientCapabilities=CAP_SYS_NICE\n');
  });

  it.each<[Partial<UnitConfig>, string]>([
    [
      { capabilities: ['net'] },
      'capabilities[0]: must be a name such as CAP_NET_BIND_SERVICE, not "net"',
    ],
    [{ capabilties: [] } as object, 'capabilties: is not known here; did you mean capabilities?'],
    [
      { capabilities: ['CAP_SYS_NICE'] },
      'capabilities: must not be set without user: root has all of them',
    ],
    [
      { readWritePaths: ['data'] },
      'readWritePaths[0]: must be an absolute path without spaces and quotes, not "data"',
    ],
    [
      { readWritePaths: ['/a\nUser=root'] },
      'readWritePaths[0]: must be an absolute path without spaces and quotes, not "/a\\nUser=root"',
    ],
    [
      { sandbox: false, readWritePaths: ['/a'] },
      'readWritePaths: must not be set without the sandbox: all paths are writable there',
    ],
    [{ sandbox: 'no' as unknown as boolean }, 'sandbox: must be true or false, not "no"'],
  ])('refuses a sandbox of %j', (more, mistake) => {
    expect(() => systemdUnit({ ...SHOP, ...more })).toThrow(
      expect.objectContaining({ mistakes: expect.arrayContaining([mistake]) }),
    );
  });

  it('refuses what cannot stand in a unit, all at once', () => {
    const wrong = {
      type: 'simple' as 'notify',
      user: 'a\nb',
      workingDirectory: '/a\nb',
      description: '',
      execStart: 'node main.js\nUser=root',
      watchdogSec: 'soon',
      timeoutStopSec: 0,
      stateDirectory: '../etc',
      environment: { 'A B': '1' },
    };
    expect(() => systemdUnit(wrong)).toThrow(
      expect.objectContaining({
        name: 'OptionsError',
        message: expect.stringMatching(/^hostx-os: unit: 9 mistakes:/),
        mistakes: [
          'description: must be a non-empty string of one line, not ""',
          'execStart: must be one line that starts with the absolute path of the program, not "node main.js\\nUser=root"',
          'user: must be a string of one line, not "a\\nb"',
          expect.stringMatching(/^watchdogSec: "soon" is not a valid duration/),
          'timeoutStopSec: must be greater than 0, not 0',
          'workingDirectory: must be a string of one line, not "/a\\nb"',
          'stateDirectory: must be a path relative to /var/lib, not "../etc"',
          'type: must be one of "notify", "notify-reload", not "simple"',
          'environment: "A B" is not a valid name of a variable',
        ],
      }),
    );
  });
});
