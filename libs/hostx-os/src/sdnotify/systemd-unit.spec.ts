import { describe, expect, it } from '@jest/globals';
import { systemdUnit } from './systemd-unit.js';

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

  it('leaves the reload to the protocol with notify-reload', () => {
    const text = systemdUnit({ ...SHOP, type: 'notify-reload' });
    expect(text).toContain('Type=notify-reload\n');
    expect(text).not.toContain('ExecReload');
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
        message: expect.stringMatching(/^hostx-os: unit: 10 mistakes:/),
        mistakes: [
          'type: must be one of "notify", "notify-reload", not "simple"',
          'execStart: must start with the absolute path of the program, not be "node main.js\\nUser=root"',
          'description: must be a non-empty string, not ""',
          'execStart: must be a string of one line, not "node main.js\\nUser=root"',
          'user: must be a string of one line, not "a\\nb"',
          'workingDirectory: must be a string of one line, not "/a\\nb"',
          'stateDirectory: must be a path relative to /var/lib, not "../etc"',
          'environment: "A B" is not a valid name of a variable',
          expect.stringMatching(/^watchdogSec: "soon" is not a valid duration/),
          'timeoutStopSec: must be greater than 0, not 0',
        ],
      }),
    );
  });
});
