import { describe, expect, it } from '@jest/globals';
import { unit } from './unit.js';

const SHOP = { description: 'The shop', execStart: '/usr/bin/node /srv/shop/main.js' };

describe('unit()', () => {
  it('is a notify service that is restarted on failure and reloaded by SIGHUP', () => {
    expect(unit(SHOP).split('\n')).toEqual(
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
    const text = unit({
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
    const text = unit({ ...SHOP, type: 'notify-reload' });
    expect(text).toContain('Type=notify-reload\n');
    expect(text).not.toContain('ExecReload');
  });

  it('refuses what cannot stand in a unit, all at once', () => {
    const wrong = {
      description: '',
      execStart: 'node main.js\nUser=root',
      watchdogSec: 'soon',
      timeoutStopSec: 0,
      stateDirectory: '../etc',
      environment: { 'A B': '1' },
    };
    expect(() => unit(wrong)).toThrow(
      /execStart must be one line.*\.\.\/etc is no relative path.*A B is no name.*watchdogSec.*no duration.*timeoutStopSec must be more.*absolute path.*description must not be empty/s,
    );
  });
});
