import { Host, serviceFunc } from '@apix/hostx/core';
import { describe, expect, it } from '@jest/globals';
import { OsError } from '../errors.js';
import { install, uninstall } from './install.js';
import { run } from './run.js';
import { windowsService } from './windows-service.js';

// What happens on Windows is seen by `npm run conformance:windows`.
describe('elsewhere than under the service control manager', () => {
  it('run() is a plain run of the host', async () => {
    const seen: string[] = [];
    const builder = Host.builder()
      .addService(serviceFunc('work', () => Promise.reject(new Error('ended early'))))
      .onStopped(() => void seen.push('stopped'));
    await expect(run(builder, { name: 'shop' })).rejects.toThrow('ended early');
    expect(seen).toEqual(['stopped']);
    expect(windowsService('shop').isService).toBe(false);
  });

  it.each([
    ['install()', () => install('shop', '/usr/bin/node')],
    ['uninstall()', () => uninstall('shop')],
  ])('%s says where services of Windows exist', (_, work) => {
    expect(work).toThrow(OsError);
    expect(work).toThrow('on Windows only, and this is linux');
  });
});
