import { Host, serviceFunc } from '@apix/hostx/core';
import { describe, expect, it } from '@jest/globals';
import { OsError } from '../errors.js';
import { installWindowsService, uninstallWindowsService } from './install-windows-service.js';
import { runWindowsService } from './run-windows-service.js';
import { windowsService } from './windows-service.js';

// What happens on Windows is seen by `npm run conformance:windows`.
describe('elsewhere than under the service control manager', () => {
  it('runWindowsService() is a plain run of the host', async () => {
    const seen: string[] = [];
    const builder = Host.builder()
      .addService(serviceFunc('work', () => Promise.reject(new Error('ended early'))))
      .onStopped(() => void seen.push('stopped'));
    await expect(runWindowsService(builder, { name: 'shop' })).rejects.toThrow('ended early');
    expect(seen).toEqual(['stopped']);
    const { isService, announced } = windowsService('shop');
    expect([isService, await announced]).toEqual([false, undefined]);
  });

  it.each([
    ['installWindowsService()', () => installWindowsService('shop', '/usr/bin/node')],
    ['uninstallWindowsService()', () => uninstallWindowsService('shop')],
  ])('%s says that it needs Windows', (_, work) => {
    expect(work).toThrow(OsError);
    expect(work).toThrow('hostx-os: Windows services require Windows; this is linux');
  });

  it('installWindowsService() reports all wrong options together', () => {
    const wrong = { startType: 'boot' as 'manual', restartDelay: 'soon' };
    expect(() => installWindowsService('shop', '', wrong)).toThrow(
      expect.objectContaining({
        name: 'OptionsError',
        message: expect.stringMatching(/^hostx-os: service shop: 3 mistakes:/),
        mistakes: [
          'exePath: must be a non-empty string, not ""',
          'startType: must be one of "automatic", "manual", not "boot"',
          expect.stringMatching(/^restartDelay: "soon" is not a valid duration/),
        ],
      }),
    );
  });
});
